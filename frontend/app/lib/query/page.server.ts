import type { RouterContextProvider } from "react-router";
import { renderRecord } from "#app/lib/server/render-record.server.ts";
import { failureOf, type PageLoad, pageAddress, type Read } from "./page.ts";

interface ServerLoaderArguments {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
  readonly context: Readonly<RouterContextProvider>;
}

/** The server's loader: asks the query service. The components find the answers in the client. */
export function serverPage(load: PageLoad) {
  return async (from: ServerLoaderArguments): Promise<null> => {
    const { client } = from.context.get(renderRecord);
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
