import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import { freshness } from "#app/lib/query/freshness.ts";
import { EventStreamParser } from "./event-stream.ts";
import { collectEvent, invalidateOutdated, type PendingChanges } from "./follow-changes.ts";

describe("the event stream", () => {
  const text =
    ': beat\n\nevent: changed\nid: 7\ndata: {"sequence":7,"tags":["site"]}\n\nevent: reset\r\ndata: {}\r\n\r\n';

  test("is parsed however its text is split", () => {
    for (let size = 1; size < text.length; size += 1) {
      const parser = new EventStreamParser();
      const events = [];
      for (let at = 0; at < text.length; at += size) {
        events.push(...parser.push(text.slice(at, at + size)));
      }
      expect(events).toEqual([
        { event: "changed", data: '{"sequence":7,"tags":["site"]}' },
        { event: "reset", data: "{}" },
      ]);
    }
  });
});

describe("a change", () => {
  function holding(): QueryClient {
    const client = new QueryClient();
    client.setQueryData(["list"], { body: 1, sequence: 10, tags: ["list:properties"] });
    client.setQueryData(["site"], { body: 1, sequence: 10, tags: ["site"] });
    client.setQueryData(["newer"], { body: 1, sequence: 12, tags: ["list:properties"] });
    return client;
  }
  const old = (client: QueryClient) =>
    client
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.isInvalidated)
      .map(({ queryKey }) => queryKey[0]);

  const changed = (sequence: number, ...tags: string[]) => ({
    event: "changed",
    data: JSON.stringify({ sequence, tags }),
  });

  test("invalidates only older answers that carry its tag", () => {
    const [client, pending]: [QueryClient, PendingChanges] = [holding(), new Map()];
    collectEvent(client, pending, changed(12, "property:AH-1", "list:properties"));
    expect(freshness.header()).toEqual({ "almijara-min-sequence": "12" });
    invalidateOutdated(client, pending);
    expect(old(client)).toEqual(["list"]);
  });

  test("counts with the latest position for each tag, whatever the order", () => {
    const [client, pending]: [QueryClient, PendingChanges] = [holding(), new Map()];
    for (const each of [
      changed(11, "list:properties"),
      changed(13, "list:properties"),
      changed(12, "list:properties"),
      changed(9, "site"),
    ]) {
      collectEvent(client, pending, each);
    }
    invalidateOutdated(client, pending);
    expect(old(client)).toEqual(["list", "newer"]);
    // Applied changes are not applied again.
    expect(pending.size).toBe(0);
  });

  test("that resets the stream invalidates everything, and lowers the minimum position", () => {
    const [client, pending]: [QueryClient, PendingChanges] = [holding(), new Map([["site", 40]])];
    collectEvent(client, pending, { event: "reset", data: '{"sequence":3}' });
    expect(pending.size).toBe(0);
    expect(old(client)).toEqual(["list", "site", "newer"]);
    expect(freshness.header()).toEqual({ "almijara-min-sequence": "3" });
  });
});
