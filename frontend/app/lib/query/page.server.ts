import type { RouterContextProvider } from "react-router";
import { type Audience, renderRecord } from "#app/lib/server/render-record.server.ts";
import { failureOf, NOTHING, type PageLoad, pageAddress, type Read } from "./page.ts";

interface ServerLoaderArguments {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
  readonly context: Readonly<RouterContextProvider>;
}

/**
 * The loader of a page that looks the same to everybody. Only what says so is kept by the cache in
 * front, under the tags of all that it asks.
 */
export function publicPage(load: PageLoad) {
  return serverLoader(load, "everybody");
}

/**
 * The loader of a page of one visitor: it gets their cookies, and nobody keeps it. The door knows
 * such pages by their paths (services/site, `private_page.rs`).
 */
export function privatePage(load = NOTHING) {
  return serverLoader(load, "one visitor");
}

/** The loader of a layout: whose the page is, its own loader says. */
export function layoutData(load: PageLoad) {
  return serverLoader(load, undefined);
}

/** Asks the query service. The components find the answers in the client. */
function serverLoader(load: PageLoad, audience: Audience | undefined) {
  return async (from: ServerLoaderArguments): Promise<null> => {
    const record = from.context.get(renderRecord);
    if (audience) record.audience = audience;
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
