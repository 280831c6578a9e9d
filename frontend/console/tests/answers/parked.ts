import type { DeadLetter, Parked, ParkedComparison } from "#console/lib/api/types.ts";
import { ago, position, TRACE } from "./common.ts";

export function comparison(): ParkedComparison {
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

export function parked(): Parked {
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
        lastAt: ago(20),
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
        lastAt: ago(300),
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

export function deadLetters(): DeadLetter[] {
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
