import { expect, test, vi } from "vitest";

/** The tickets of previews and the doctor's questions, an extension of the content service. */
const extension = new URL(
  "../../deploy/directus/extensions/almijara-preview/dist/index.js",
  import.meta.url,
).href;
const { default: endpoint } = await import(/* @vite-ignore */ extension);

// What Directus has parsed is used only where its process has none.
for (const name of ["PREVIEW_SECRET", "SITE_ORIGIN"]) vi.stubEnv(name, undefined);

const SITE = "https://www.example.com";
const SECRET = "a-secret-of-at-least-thirty-two-characters";
const POLICY = `default-src 'self';frame-src 'self' ${SITE}`;
/** What start.mjs sets. Directus has parsed the lists. */
const WHOLE = {
  WEBHOOK_URL: "http://127.0.0.1:8084/webhooks/content",
  WEBHOOK_SECRET: "secret",
  ENQUIRIES_URL: "http://command:8082/webhooks/enquiries",
  ENQUIRIES_SECRET: "secret",
  FLOWS_ENV_ALLOW_LIST: ["WEBHOOK_URL", "WEBHOOK_SECRET", "ENQUIRIES_URL", "ENQUIRIES_SECRET"],
  IMPORT_IP_DENY_LIST: ["169.254.169.254"],
  PREVIEW_SECRET: SECRET,
  SITE_ORIGIN: SITE,
};

type Request = { accountability?: object; query?: object; headers?: object };

/** Sends `request` to a Directus with the environment `env`, and returns what is answered. */
async function answer(path: string, request: Request, env: object, policy = POLICY) {
  const routes = new Map<string, (...given: unknown[]) => unknown>();
  const router = { get: (at: string, handler: () => unknown) => routes.set(at, handler) };
  const ItemsService = class {
    async readByQuery() {
      return [];
    }
  };
  const context = { services: { ItemsService }, getSchema: async () => ({}), logger: console, env };
  endpoint.handler(router, context);
  const response = {
    code: 200,
    body: undefined as unknown,
    status: (code: number) => Object.assign(response, { code }),
    set: () => response,
    type: () => response,
    get: () => policy,
    json: (body: unknown) => Object.assign(response, { body }),
    send: (body: unknown) => Object.assign(response, { body }),
    redirect: (code: number, body: string) => Object.assign(response, { code, body }),
  };
  await routes.get(path)?.({ query: {}, headers: {}, ...request }, response, (error: unknown) => {
    throw error;
  });
  return response;
}

const asked = async (env: object, policy?: string) =>
  (await answer("/doctor", { accountability: { admin: true } }, env, policy)).body as {
    data: { variables: Record<string, string>; site: string | null; shows_site: boolean };
  };

test("the environment is described to administrators only, and without a secret", async () => {
  const { data } = await asked(WHOLE);
  expect(data).toEqual({
    variables: {
      WEBHOOK_URL: "set",
      WEBHOOK_SECRET: "set",
      ENQUIRIES_URL: "set",
      ENQUIRIES_SECRET: "set",
      PREVIEW_SECRET: "set",
    },
    site: SITE,
    shows_site: true,
  });
  for (const accountability of [undefined, { user: "ana", admin: false }]) {
    const { code, body } = await answer("/doctor", accountability ? { accountability } : {}, WHOLE);
    expect(code).toBe(403);
    expect(body).not.toHaveProperty("data");
  }
});

test.for([
  [{ WEBHOOK_URL: undefined }, "WEBHOOK_URL", "missing"],
  [{ ENQUIRIES_SECRET: "" }, "ENQUIRIES_SECRET", "missing"],
  [{ FLOWS_ENV_ALLOW_LIST: false }, "WEBHOOK_SECRET", "hidden"],
  [{ FLOWS_ENV_ALLOW_LIST: "WEBHOOK_URL" }, "WEBHOOK_URL", "set"],
  [{ FLOWS_ENV_ALLOW_LIST: "WEBHOOK_URL" }, "WEBHOOK_SECRET", "hidden"],
  // Directus's own list.
  [{ IMPORT_IP_DENY_LIST: ["0.0.0.0", "169.254.169.254"] }, "WEBHOOK_URL", "denied"],
  [{ IMPORT_IP_DENY_LIST: ["0.0.0.0", "169.254.169.254"] }, "ENQUIRIES_URL", "set"],
  [{ PREVIEW_SECRET: undefined }, "PREVIEW_SECRET", "missing"],
  [{ PREVIEW_SECRET: 12_345 }, "PREVIEW_SECRET", "missing"],
  [{ PREVIEW_SECRET: "twenty-characters-is" }, "PREVIEW_SECRET", "short"],
] as const)("with %j the state of %s is “%s”", async ([change, name, state]) => {
  expect((await asked({ ...WHOLE, ...change })).data.variables[name]).toBe(state);
});

test.for([
  [`frame-src 'self' ${SITE}/`, true],
  ["frame-src 'self' https:", true],
  ["default-src 'self';child-src 'self' blob:", false],
  [`frame-src ${SITE}`, false],
  ["frame-src 'self' https://other.example.com", false],
  ["script-src 'self'", true],
] as const)(
  "whether the policy “%s” lets the Studio show the site: %s",
  async ([policy, shows]) => {
    expect((await asked(WHOLE, policy)).data.shows_site).toBe(shows);
  },
);

test.for([
  [{ PREVIEW_SECRET: undefined }, "falta PREVIEW_SECRET."],
  [{ PREVIEW_SECRET: "too-short" }, "PREVIEW_SECRET tiene menos de 32 caracteres."],
  [{ SITE_ORIGIN: undefined }, "falta SITE_ORIGIN."],
] as const)("with %j an editor is told that “%s”", async ([change, words]) => {
  const request = { headers: { "accept-language": "es-ES" } };
  const { code, body } = await answer("/ticket", request, { ...WHOLE, ...change });
  expect(code).toBe(503);
  expect(body).toContain(words);
});

test("a ticket is issued also if Directus has read its environment from a file", async () => {
  const request = { accountability: { user: "ana" }, query: { back: `${SITE}/es` } };
  const { code, body } = await answer("/ticket", request, WHOLE);
  expect(code).toBe(302);
  expect(body).toMatch(/^https:\/\/www\.example\.com\/es\?preview-ticket=[\w-]+\.[\w-]+$/);
});
