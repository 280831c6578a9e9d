/** An event of a `text/event-stream`. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Parses events from chunks of text that may end anywhere. Supports only what the change stream uses: `event`
 * and `data` lines, comments, and an empty line as the end of an event.
 */
export class EventStreamParser {
  #rest = "";

  push(text: string): StreamEvent[] {
    this.#rest = (this.#rest + text).replaceAll("\r\n", "\n");
    const blocks = this.#rest.split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.map(parseBlock).filter((event) => event !== undefined);
  }
}

function parseBlock(block: string): StreamEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  return data.length > 0 ? { event, data: data.join("\n") } : undefined;
}
