import type { Overview } from "#console/lib/api/types.ts";
import { ago, position } from "./common.ts";
import type { Everything } from "./everything.ts";

/** An overview as the service samples it. */
export function overview({ sync, projections, parked, deadLetters, jobs }: Everything): Overview {
  const ready = { reachable: true, ready: true, failing: {} };
  const waits = projections.lag ?? 0;
  return {
    at: ago(0),
    roles: [
      {
        role: "sync",
        instance: "127.0.0.1:9101",
        ...ready,
        details: { parked: parked.items.length },
      },
      {
        role: "projections",
        instance: "127.0.0.1:9102",
        ...ready,
        details: { generation: 7, checkpoint: { epoch: 28_345_123, sequence: 5_121 } },
      },
      {
        role: "query",
        instance: "10.0.0.7:9103",
        reachable: true,
        ready: false,
        failing: { index: "the log has not answered for 9 s" },
        details: {},
      },
      {
        role: "query",
        instance: "10.0.0.8:9103",
        ...ready,
        details: { documents: 1_284 },
      },
      { role: "site", instance: "127.0.0.1:9104", ...ready, details: { pages: 412 } },
      {
        role: "command",
        instance: "127.0.0.1:9105",
        reachable: false,
        ready: false,
        failing: { health: "error sending request: connection refused" },
        details: {},
      },
    ],
    flow: [
      { step: "hint", ratePerMinute: 12.4, lag: 2, ageSeconds: 41, state: "well", why: null },
      {
        step: "capture",
        ratePerMinute: sync.paused.capture ? 0 : 11.8,
        lag: 3,
        ageSeconds: 0.4,
        state: sync.paused.capture ? "paused" : "well",
        why: sync.paused.capture ? "an operator has paused it" : null,
      },
      { step: "publish", ratePerMinute: 11.8, lag: 0, ageSeconds: 0, state: "well", why: null },
      {
        step: "project",
        ratePerMinute: 11.8,
        lag: waits,
        ageSeconds: waits === 0 ? 0 : 74,
        state: waits > 100 ? "slow" : "well",
        why: waits > 100 ? `${waits} wait, the oldest for 74 s` : null,
      },
      {
        step: "index",
        ratePerMinute: 0,
        lag: 214,
        ageSeconds: 190,
        state: "stopped",
        why: "index: the log has not answered for 9 s",
      },
      { step: "purge", ratePerMinute: 38, lag: null, ageSeconds: 1.2, state: "well", why: null },
      { step: "render", ratePerMinute: 124, lag: 1, ageSeconds: 0, state: "well", why: null },
    ],
    breakers: [{ name: "content service", open: false, reason: null }],
    queues: [
      { name: "inbox", depth: 2, oldestSeconds: 41 },
      { name: "dirty", depth: 3, oldestSeconds: 0.4 },
      { name: "parked", depth: parked.items.length, oldestSeconds: null },
      { name: "outbox", depth: 0, oldestSeconds: 0 },
      { name: "dead letters", depth: deadLetters.length, oldestSeconds: null },
      { name: "failed jobs", depth: jobs.failed, oldestSeconds: null },
    ],
    caches: [
      { name: "pages", used: 48_200_000, limit: 268_435_456, hitRatio: 0.973 },
      { name: "pictures", used: 3_120_000_000, limit: 8_000_000_000, hitRatio: null },
    ],
    indexes: ["127.0.0.1:9103", "127.0.0.1:9113"].map((instance, index) => ({
      instance,
      documents: 1_284,
      segments: 6 - index,
      bytes: 21_400_000,
      sequence: position(5_121 - index * 214),
      readModels: position(5_121),
      listeners: 9 * index,
    })),
    traceUrl: "https://traces.example/trace/{traceId}",
    history: Array.from({ length: 450 }, (_, index) => ({
      at: ago((449 - index) * 2),
      published: index % 17 === 0 ? 1 + (index % 5) : 0,
      rendered: Math.round(4 + 4 * Math.sin(index / 25)),
    })),
  };
}
