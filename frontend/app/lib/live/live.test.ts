import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import { freshness } from "#app/lib/query/freshness.ts";
import { EventStreamParser } from "./event-stream.ts";
import { makeOld, type News, takeIn } from "./follow-changes.ts";

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

  const changed = (sequence: number, ...tags: string[]) => ({
    event: "changed",
    data: JSON.stringify({ sequence, tags }),
  });

  test("makes older answers old that carry its tag, and no others", () => {
    const [client, news]: [QueryClient, News] = [holding(), new Map()];
    takeIn(client, news, changed(12, "property:AH-1", "list:properties"));
    expect(freshness.header()).toEqual({ "almijara-min-sequence": "12" });
    makeOld(client, news);
    expect(old(client)).toEqual(["list"]);
  });

  test("counts for each of its tags as its last one, whatever came of others", () => {
    const [client, news]: [QueryClient, News] = [holding(), new Map()];
    for (const each of [
      changed(11, "list:properties"),
      changed(13, "list:properties"),
      changed(12, "list:properties"),
      changed(9, "site"),
    ]) {
      takeIn(client, news, each);
    }
    makeOld(client, news);
    expect(old(client)).toEqual(["list", "newer"]);
    // What was told is not told again.
    expect(news.size).toBe(0);
  });

  test("lost track of makes everything old, and lowers what answers must stand at", () => {
    const [client, news]: [QueryClient, News] = [holding(), new Map([["site", 40]])];
    takeIn(client, news, { event: "reset", data: '{"sequence":3}' });
    expect(news.size).toBe(0);
    expect(old(client)).toEqual(["list", "site", "newer"]);
    expect(freshness.header()).toEqual({ "almijara-min-sequence": "3" });
  });
});
