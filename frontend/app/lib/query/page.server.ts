import type { RouterContextProvider } from "react-router";
import type { Answer } from "#app/lib/api/answer.ts";
import { renderRecord } from "#app/lib/server/render-record.server.ts";
import { makeQueryClient } from "./client.ts";
import { failureOf, type PageData, type PageLoad, pageAddress, type Read } from "./page.ts";
import { seedOf } from "./seed.tsx";

interface ServerLoaderArguments {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
  readonly context: Readonly<RouterContextProvider>;
}

/** The server's loader: asks the query service and notes what the page was made from. */
export function serverPage(load: PageLoad) {
  return async (from: ServerLoaderArguments): Promise<PageData> => {
    const record = from.context.get(renderRecord);
    const client = makeQueryClient(record.transport, 0);
    const read: Read = async (query) => (await client.query(query)).body;
    const address = pageAddress(from);
    try {
      await load(read, address);
      const cached = client.getQueryCache().getAll();
      return {
        seed: seedOf(
          cached.flatMap(({ queryKey, state }) =>
            state.data === undefined
              ? []
              : [[String(queryKey[0]), state.data as Answer<unknown>] as const],
          ),
        ),
      };
    } catch (error) {
      throw await failureOf(error, read, address);
    } finally {
      client.clear();
    }
  };
}
