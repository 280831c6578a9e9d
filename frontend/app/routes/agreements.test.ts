import { afterEach, expect, test, vi } from "vitest";
import { action as changeAccount } from "./account-details.tsx";
import { action as changeAlerts } from "./alerts.tsx";
import { action as confirmAlerts } from "./alerts-confirm.tsx";

afterEach(() => vi.unstubAllGlobals());

/** Mocks a write side that responds with `answer`; returns a log of the request paths and bodies. */
function mockWriteSide(answer: () => Response) {
  const sent: [path: string, body: Record<string, unknown>][] = [];
  vi.stubGlobal("fetch", async (address: string, { body }: RequestInit) => {
    const content = JSON.parse(String(body ?? "{}"));
    sent.push([new URL(address).pathname, content]);
    return answer();
  });
  return sent;
}

type Action = (from: never) => Promise<unknown>;

/** Submits a form at `path`; returns the redirect's target, or the refusal. */
async function send(action: Action, path: string, fields: Record<string, string>) {
  const request = new Request(`https://site.example${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  const answer = await action({ request } as never);
  return answer instanceof Response ? answer.headers.get("location") : answer;
}

const DETAILS = { intent: "save", name: "Ann", locale: "en", shownConsent: "no" };
const SEARCH = { intent: "change", search: "0f84", frequency: "daily" };

test("a consent is sent with the language of the page it was read on", async () => {
  const sent = mockWriteSide(() => Response.json({ address: "" }));
  await send(changeAccount, "/es/account/details", { ...DETAILS, marketingConsent: "yes" });
  await send(confirmAlerts, "/es/alerts/confirm?token=its", {
    token: "its",
    name: "Villas",
    frequency: "weekly",
  });
  await send(changeAlerts, "/es/alerts?token=its", SEARCH);
  await send(changeAlerts, "/alerts?token=its", SEARCH);
  expect(sent).toEqual([
    ["/api/account", { name: "Ann", locale: "en", marketingConsent: true, readIn: "es" }],
    ["/api/alerts/confirm", { token: "its", name: "Villas", frequency: "weekly", locale: "es" }],
    [
      "/api/alerts/change",
      { token: "its", search: "0f84", change: { frequency: "daily" }, locale: "es" },
    ],
    [
      "/api/alerts/change",
      { token: "its", search: "0f84", change: { frequency: "daily" }, locale: "en" },
    ],
  ]);
});

test("the language is not sent with a change that involves no consent", async () => {
  const sent = mockWriteSide(() => Response.json({}));
  await send(changeAccount, "/es/account/details", DETAILS);
  expect(sent).toEqual([["/api/account", { name: "Ann", locale: "en" }]]);
});

test("ending all emails leads to a page that confirms it", async () => {
  mockWriteSide(() => Response.json({}));
  expect(await send(changeAlerts, "/es/alerts?token=its", { intent: "end" })).toBe(
    "/es/alerts?token=its&outcome=stopped",
  );
});

test.each([
  ["end", "device-signed-out#devices"],
  ["remove-passkey", "passkey-removed#passkeys"],
])(
  "removing something that is already gone is reported as success (%s)",
  async (intent, outcome) => {
    mockWriteSide(() => new Response(null, { status: 404 }));
    expect(await send(changeAccount, "/account/details", { intent, id: "0f84" })).toBe(
      `/account/details?outcome=${outcome}`,
    );
  },
);
