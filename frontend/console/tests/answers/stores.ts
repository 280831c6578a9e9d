import type { ProjectionsState, SiteState, SyncState } from "#console/lib/api/types.ts";
import { ago, position } from "./common.ts";

export function sync(): SyncState {
  return {
    ledger: "7c2f6a0e-3f5c-4e6f-9b0c-2d6a4a1f9a11",
    epoch: 28_345_123,
    leads: true,
    stream: { messages: 5_121, bytes: 18_900_000, lastSequence: 5_121 },
    outbox: { fresh: 0, refill: 0 },
    inbox: { unresolved: 2, oldestSeconds: 41 },
    dirty: { count: 3, oldestSeconds: 0.4 },
    breaker: { open: false, reason: null },
    paused: { capture: false, relay: false },
    reconcile: {
      running: false,
      startedAt: ago(86_000),
      endedAt: ago(85_940),
      seen: 1_284,
      differing: 2,
      missing: 0,
      error: null,
    },
    troubles: [
      ["docs", "capture"],
      ["docs", "sweep"],
      ["directus_activity", "follow"],
    ].map(([collection = "", task = ""]) => ({
      collection,
      task,
      since: ago(310),
      reason: "403 Forbidden",
    })),
  };
}

export function projections(): ProjectionsState {
  return {
    generations: [
      {
        number: 7,
        modelVersion: 12,
        sequence: position(5_121),
        live: true,
        updatedAt: ago(2),
        deadLetters: 2,
        canSwapBack: false,
      },
      {
        number: 6,
        modelVersion: 12,
        sequence: position(4_870),
        live: false,
        updatedAt: ago(90_000),
        deadLetters: 0,
        canSwapBack: true,
      },
    ],
    lag: 214,
    paused: false,
    rebuild: {
      running: false,
      kind: null,
      done: 0,
      left: 0,
      secondsLeft: null,
      startedAt: null,
      endedAt: null,
      error: null,
    },
  };
}

export const site = (): SiteState => ({
  cache: {
    pages: 412,
    current: 398,
    bytes: 48_200_000,
    limitBytes: 268_435_456,
    hits: 91_204,
    misses: 2_511,
    stale: 12,
  },
  purge: { sequence: position(5_121), last: ago(3) },
  renders: { running: 1, waiting: 1 },
  pictures: { running: 0, waiting: 0, cachedBytes: 3_120_000_000, limitBytes: 8_000_000_000 },
  feed: { connected: true, position: position(5_121) },
});
