import { accountAreaMessages } from "#app/features/account/area-messages.ts";
import { MyEnquiries } from "#app/features/account/my-enquiries.tsx";
import { readAccount as readFromServer } from "#app/lib/account/account.server.ts";
import { readAccount, signInFirst } from "#app/lib/account/account.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import type { Route } from "./+types/account-enquiries";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async () => {};

export async function loader(from: Route.LoaderArgs) {
  await privatePage(load)(from);
  const account = await readFromServer(from.request);
  if (!account) throw signInFirst(from.url);
  return account;
}

export async function clientLoader(from: Route.ClientLoaderArgs) {
  await browserPage(load)(from);
  const account = await readAccount();
  if (!account) throw signInFirst(from.url);
  return account;
}

/** What was asked of the office. */
export default function AccountEnquiries({ loaderData }: Route.ComponentProps) {
  const t = useMessages(accountAreaMessages);
  return (
    <>
      <h2 className="mb-4 text-xl">{t.enquiries}</h2>
      <MyEnquiries enquiries={loaderData.enquiries} />
    </>
  );
}
