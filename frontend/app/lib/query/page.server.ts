import type { RouterContextProvider } from "react-router";
import { type Cacheability, renderRecord } from "#app/lib/server/render-record.server.ts";
import { failureOf, NOTHING, type PageLoad, pageAddress, type Read } from "./page.ts";

interface ServerLoaderArguments {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
  readonly context: Readonly<RouterContextProvider>;
}

/**
 * Makes the loader of a page that is the same for everybody. Only such pages are cached by the site service,
 * under the tags of all their answers.
 */
export function publicPage(load: PageLoad) {
  return serverLoader(load, "public");
}

/**
 * Makes the loader of a page that is private to one visitor: it gets their cookies and is never cached. The
 * door knows such pages by their paths (services/site, `private_page.rs`).
 */
export function privatePage(load = NOTHING) {
  return serverLoader(load, "private");
}

/** Makes the loader of a layout. The page's own loader states whether it may be cached. */
export function layoutData(load: PageLoad) {
  return serverLoader(load, undefined);
}

/** Fetches from the query service. The components find the answers in the query client. */
function serverLoader(load: PageLoad, cacheability: Cacheability | undefined) {
  return async (from: ServerLoaderArguments): Promise<null> => {
    const record = from.context.get(renderRecord);
    if (cacheability) record.cacheability = cacheability;
    const { client } = record;
    const read: Read = async (query) => (await client.query(query)).body;
    const address = pageAddress(from);
    try {
      await load(read, address);
    } catch (error) {
      throw await failureOf(error, read, address);
    }
    return null;
  };
}
