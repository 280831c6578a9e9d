import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { apiQuery } from "./api-query.ts";
import { browserQueryClient } from "./client.ts";
import { browserPage } from "./page.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a navigation fetches an answer itself if the component that was fetching it unmounts", async () => {
  const answered: (() => void)[] = [];
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    signal.addEventListener("abort", () => reject(signal.reason));
    answered.push(() => resolve(Response.json({ name: "Almijara" })));
    return promise;
  });
  const query = apiQuery("/api/site", { query: { locale: "en" } });
  const client = browserQueryClient();
  const unmount = new QueryObserver(client, query as never).subscribe(() => undefined);
  await vi.waitFor(() => expect(answered.length).toBe(1));
  const shown = vi.fn();
  const navigation = browserPage(async (read) => shown(await read(query)))({
    params: {},
    url: new URL("https://almijara.example/"),
  });
  unmount();
  await vi.waitFor(() => expect(answered.length).toBe(2));
  answered[1]?.();
  await navigation;
  expect(shown).toHaveBeenCalledWith({ name: "Almijara" });
  client.clear();
});
