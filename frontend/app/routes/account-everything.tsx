import { Everything } from "#app/features/account/everything.tsx";
import { readExport as readFromServer } from "#app/lib/account/account.server.ts";
import { readExport, signInFirst } from "#app/lib/account/account.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import type { Route } from "./+types/account-everything";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async () => {};

export async function loader(from: Route.LoaderArgs) {
  await privatePage(load)(from);
  const everything = await readFromServer(from.request);
  if (!everything) throw signInFirst(from.url);
  return everything;
}

export async function clientLoader(from: Route.ClientLoaderArgs) {
  await browserPage(load)(from);
  const everything = await readExport();
  if (!everything) throw signInFirst(from.url);
  return everything;
}

/** Everything that is kept of an account, to be read and printed. */
export default function AccountEverything({ loaderData }: Route.ComponentProps) {
  return <Everything everything={loaderData} />;
}
