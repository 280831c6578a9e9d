import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import { freshness } from "#app/lib/query/freshness.ts";
import { EventStreamParser } from "./event-stream.ts";
import { applyEvent } from "./follow-changes.ts";

describe("the event stream", () => {
  const text =
    ': beat\n\nevent: changed\nid: 7\ndata: {"sequence":7,"tags":["site"]}\n\nevent: reset\r\ndata: {}\r\n\r\n';

  test("is understood however it is cut", () => {
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

  test("makes older answers old that carry its tag, and no others", () => {
    const client = holding();
    applyEvent(client, {
      event: "changed",
      data: '{"sequence":12,"tags":["property:AH-1","list:properties"]}',
    });
    expect(old(client)).toEqual(["list"]);
    expect(freshness.header()).toEqual({ "almijara-min-sequence": "12" });
  });

  test("lost track of makes everything old, and lowers what answers must stand at", () => {
    const client = holding();
    applyEvent(client, { event: "reset", data: '{"sequence":3}' });
    expect(old(client)).toEqual(["list", "site", "newer"]);
    expect(freshness.header()).toEqual({ "almijara-min-sequence": "3" });
  });
});
