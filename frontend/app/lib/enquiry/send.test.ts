import { afterEach, expect, test, vi } from "vitest";
import { sendEnquiry } from "./send.ts";

afterEach(() => vi.unstubAllGlobals());

const REUSED = { type: "urn:almijara:problem:idempotency-key-reused" };

/**
 * Simulates a write side that has stored another enquiry under the key "form". Returns the other keys that it
 * receives.
 */
function writeSide(answer: (key: string) => Promise<Response>) {
  const keys: string[] = [];
  vi.stubGlobal("fetch", (_: string, { headers }: { headers: Record<string, string> }) => {
    const key = headers["idempotency-key"] ?? "";
    if (key === "form") return Promise.resolve(Response.json(REUSED, { status: 422 }));
    keys.push(key);
    return answer(key);
  });
  return keys;
}

test("a changed enquiry whose response is lost keeps its new key until it is changed again", async () => {
  let isLost = true;
  const keys = writeSide(async () => {
    if (isLost) throw new TypeError("the line is cut");
    return Response.json({ reference: "E-1" }, { status: 201 });
  });
  const enquiry = { message: "Is there a lift?", pictures: ["one", "two"], openedFor: 47 };
  expect(await sendEnquiry(enquiry, "form")).toEqual({ failure: "away" });
  isLost = false;
  // Its pictures were uploaded again, a while later.
  const again = { ...enquiry, pictures: ["three", "four"], openedFor: 61 };
  expect(await sendEnquiry(again, "form")).toEqual({ reference: "E-1" });
  await sendEnquiry({ ...enquiry, pictures: ["five"] }, "form");
  await sendEnquiry({ ...enquiry, message: "Is there a garden?" }, "form");
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});

test("an enquiry that met a restart is sent once more with its key, and then fails", async () => {
  vi.useFakeTimers();
  try {
    const statuses = [502, 201, 502, 502, 201];
    const keys: (string | undefined)[] = [];
    vi.stubGlobal("fetch", async (_: string, { headers }: RequestInit) => {
      keys.push((headers as Record<string, string>)["idempotency-key"]);
      return Response.json({ reference: "E-1" }, { status: statuses.shift() ?? 201 });
    });
    const send = async (key: string) => {
      const sent = sendEnquiry({ message: "?" }, key);
      await vi.runAllTimersAsync();
      return sent;
    };
    expect(await send("one")).toEqual({ reference: "E-1" });
    expect(await send("two")).toEqual({ failure: "away" });
    expect(keys).toEqual(["one", "one", "two", "two"]);
  } finally {
    vi.useRealTimers();
  }
});
