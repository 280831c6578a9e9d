import type { Deliveries, Jobs } from "#console/lib/api/types.ts";
import { ago, position } from "./common.ts";

export function jobs(): Jobs {
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
        failure: "the content service: error sending request",
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

export const deliveries = (): Deliveries => ({
  enquiries: { lastDay: 17, lastHour: 2 },
  jobs: [
    { kind: "office_mail", done: 16, waiting: 0, failed: 1 },
    { kind: "content_item", done: 16, waiting: 0, failed: 1 },
    { kind: "alert_mail", done: 240, waiting: 1, failed: 0 },
  ],
  events: { waiting: 3, oldestSeconds: 12 },
  alerts: { savedSearches: 1_820, sequence: position(5_121), isFilled: true },
});
