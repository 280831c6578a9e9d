import type {
  AuditLine,
  DeadLetter,
  Deliveries,
  EmptySearch,
  Jobs,
  NotFoundPath,
  Overview,
  Parked,
  ParkedComparison,
  ProjectionsState,
  Publish,
  SiteState,
  SlowCall,
  SlowRender,
  SyncState,
} from "#console/lib/api/types.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
/** A position as the roles tell it: the epoch above the twenty-second bit. */
export const position = (message: number) => 28_345_123 * 2 ** 22 + message;

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

/** All that the roles know, as it is at first: each test's own. */
export function everything() {
  return {
    sync: sync(),
    projections: projections(),
    site: site(),
    publishes: publishes(),
    parked: parked(),
    comparison: comparison(),
    deadLetters: deadLetters(),
    slow: slow(),
    emptySearches: emptySearches(),
    slowRenders: slowRenders(),
    notFound: notFound(),
    jobs: jobs(),
    deliveries: deliveries(),
    audit: audit(),
  };
}

export type Everything = ReturnType<typeof everything>;

/** How everything is, as the service samples it. */
export function overview({ sync, projections, parked, deadLetters, jobs }: Everything): Overview {
  const ready = { reachable: true, ready: true, failing: {} };
  const waits = projections.lag ?? 0;
  return {
    at: new Date().toISOString(),
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

function sync(): SyncState {
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
    troubles: [{ collection: "docs", since: ago(310), reason: "403 Forbidden" }],
  };
}

function projections(): ProjectionsState {
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
      done: null,
      left: null,
      secondsLeft: null,
      startedAt: null,
      endedAt: null,
      error: null,
    },
  };
}

const site = (): SiteState => ({
  cache: {
    pages: 412,
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

function publishes(): Publish[] {
  const titles = [
    ["properties", "AH-1042", "Villa with a view of the sea, Nerja"],
    ["properties", "AH-1007", "Town house with a terrace, Frigiliana"],
    ["articles", "61", "The Eagle Aqueduct, and how to walk to it"],
    ["properties", "AH-1188", "Finca with avocado trees, Torrox"],
  ] as const;
  return Array.from({ length: 130 }, (_, index) => {
    const [collection, key, title] = titles[index % titles.length] ?? titles[0];
    const refused = index === 3 ? "the log takes no message of more than 1 MB" : null;
    const live = index === 0 || refused ? null : 96 + ((index * 37) % 220);
    return {
      id: 4_000 - index,
      collection,
      key,
      version: 3 + (index % 9),
      change: index % 23 === 6 ? "removed" : "upserted",
      title,
      hintedAt: index % 11 === 5 ? null : ago(30 + index * 61 + 0.038),
      capturedAt: ago(30 + index * 61),
      publishedAt: refused ? null : ago(30 + index * 61 - 0.004),
      sequence: refused ? null : position(5_121 - index),
      refused,
      traceId: refused ? null : TRACE,
      live:
        live === null
          ? null
          : {
              since: ago(30 + index * 61),
              milliseconds: live,
              addresses: [`https://almijara.example/property-for-sale/nerja/${key}`],
            },
    };
  });
}

function comparison(): ParkedComparison {
  return {
    fields: [
      { field: "price", now: "-5", lastGood: "485000", broken: true },
      {
        field: "translations.es-ES.title",
        now: '""',
        lastGood: '"Villa con vistas al mar en Nerja"',
        broken: true,
      },
      { field: "bedrooms", now: "4", lastGood: null, broken: false },
      {
        field: "translations.en-GB.description",
        now: '"…a terrace that looks to the sea…"',
        lastGood: '"…a terrace that looks to the hills…"',
        broken: false,
      },
    ],
    more: 3,
    whole: true,
    personal: false,
  };
}

function parked(): Parked {
  return {
    items: [
      {
        collection: "properties",
        key: "AH-1042",
        violations: [
          { field: "price", value: "-5", rule: "must be a whole number above 0" },
          { field: "translations.es-ES.title", value: '""', rule: "must not be empty" },
        ],
        firstAt: ago(640),
        lastAt: ago(12),
        tries: 4,
        nextTry: new Date(Date.now() + 300_000).toISOString(),
        differences: [
          { field: "price", parked: "-5", lastGood: "485000" },
          {
            field: "translations.es-ES.title",
            parked: '""',
            lastGood: '"Villa con vistas al mar en Nerja"',
          },
        ],
        traceId: TRACE,
      },
      {
        collection: "articles",
        key: "73",
        violations: [{ field: "", value: "", rule: "the content service answers 500 to it" }],
        firstAt: ago(4_000),
        lastAt: ago(30),
        tries: 9,
        nextTry: null,
        differences: [],
        traceId: null,
      },
    ],
    hints: [
      {
        id: 8_121,
        collection: "documents",
        keys: ["12", "13"],
        failure: "the content service has no such collection",
        receivedAt: ago(7_200),
        tries: 11,
        nextTry: new Date(Date.now() + 600_000).toISOString(),
      },
      {
        id: 8_140,
        collection: "properties",
        keys: [],
        failure: "403 Forbidden",
        receivedAt: ago(41),
        tries: 2,
        nextTry: new Date(Date.now() + 20_000).toISOString(),
      },
    ],
    leftOut: [
      {
        collection: "properties",
        key: "AH-1188",
        pictures: [
          {
            field: "gallery.3",
            value: '"c1f0….heic"',
            rule: "must be JPEG, PNG, WebP, AVIF or GIF",
          },
        ],
        since: ago(90_000),
      },
    ],
    refused: [],
  };
}

function deadLetters(): DeadLetter[] {
  return [
    {
      subject: "content.properties.AH-0991",
      sequence: position(5_003),
      version: 14,
      error: "value too long for type character varying(200)",
      tries: 5,
      at: ago(9_000),
      traceId: TRACE,
      differences: [{ field: "en.title", message: '"A very long title…"', shown: '"A title"' }],
    },
    {
      subject: "content.docs.17",
      sequence: position(5_090),
      version: null,
      error: "the message is of a form that this build does not know",
      tries: 1,
      at: ago(400),
      traceId: null,
      differences: null,
    },
  ];
}

const slow = (): SlowCall[] =>
  [812.4, 455, 221].map((milliseconds, index) => ({
    call: "/api/properties",
    query: `locale=es&q=villa+con+piscina+nerja&page=${index + 1}`,
    milliseconds,
    at: ago(300 + index * 400),
    traceId: index === 0 ? TRACE : null,
  }));

const emptySearches = (): EmptySearch[] => [
  { query: "houseboat", locale: "en", count: 31, lastAt: ago(900) },
  { query: "cueva en granada", locale: "es", count: 12, lastAt: ago(5_400) },
];

const slowRenders = (): SlowRender[] => [
  {
    path: "/property-for-sale?propertyType=House",
    milliseconds: 1_240,
    at: ago(120),
    traceId: TRACE,
  },
  { path: "/es/news", milliseconds: 640.2, at: ago(2_000), traceId: null },
];

const notFound = (): NotFoundPath[] => [
  {
    path: "/properties-for-sale-nerja.html",
    count: 214,
    lastAt: ago(40),
    referrer: "https://www.portal.example/costa-del-sol",
  },
  { path: "/wp-login.php", count: 90, lastAt: ago(600), referrer: null },
];

function jobs(): Jobs {
  return {
    waiting: 1,
    failed: 2,
    items: [
      {
        id: "019ab3c2-5f00-7cc1-9d4e-5f0e4b6a7a01",
        kind: "office_mail",
        state: "failed",
        tries: 8,
        nextTry: null,
        createdAt: ago(86_000),
        failure: "the mail server refuses the recipient",
      },
      {
        id: "019ab3c2-5f00-7cc1-9d4e-5f0e4b6a7a02",
        kind: "content_item",
        state: "failed",
        tries: 8,
        nextTry: null,
        createdAt: ago(70_000),
        failure: "other",
      },
      {
        id: "019ab3c2-5f00-7cc1-9d4e-5f0e4b6a7a03",
        kind: "alert_mail",
        state: "due",
        tries: 1,
        nextTry: new Date(Date.now() + 30_000).toISOString(),
        createdAt: ago(64),
        failure: "error sending request",
      },
      {
        id: "019ab3c2-5f00-7cc1-9d4e-5f0e4b6a7a04",
        kind: "sign_in_mail",
        state: "refused",
        tries: 1,
        nextTry: null,
        createdAt: ago(4_000),
        failure: "the mail server refuses the recipient",
      },
      {
        id: "019ab3c2-5f00-7cc1-9d4e-5f0e4b6a7a05",
        kind: "alert_mail",
        state: "bounced",
        tries: 1,
        nextTry: null,
        createdAt: ago(9_000),
        failure: "other",
      },
    ],
  };
}

function audit(): AuditLine[] {
  const target = JSON.stringify({ tags: ["property:AH-1042", "list:properties"] });
  const lines = [
    ["sign-in", "luis", "done"],
    ["site/purge", target, "begun"],
    ["site/purge", target, "done (200)"],
    ["projections/rebuild", "", "begun"],
    ["projections/rebuild", "", "refused (409) one is under way"],
  ] as const;
  return lines
    .map(([action, about, outcome], index) => ({
      id: index + 1,
      at: ago(3_600 - index * 60),
      operator: "luis",
      action,
      target: about,
      outcome,
      address: "10.0.0.4",
      begun: null,
    }))
    .reverse();
}

const deliveries = (): Deliveries => ({
  enquiries: { lastDay: 17, lastHour: 2 },
  jobs: [
    { kind: "office_mail", done: 16, waiting: 0, failed: 1 },
    { kind: "content_item", done: 16, waiting: 0, failed: 1 },
    { kind: "alert_mail", done: 240, waiting: 1, failed: 0 },
  ],
  events: { waiting: 3, oldestSeconds: 12 },
  alerts: { savedSearches: 1_820, sequence: position(5_121), isFilled: true },
});
