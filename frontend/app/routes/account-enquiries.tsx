import { accountAreaMessages } from "#app/features/account/area-messages.ts";
import { AreaSeo } from "#app/features/account/area-seo.tsx";
import { MyEnquiries } from "#app/features/account/my-enquiries.tsx";
import { accountPage, readAccount as readFromServer } from "#app/lib/account/account.server.ts";
import { browserAccountPage, readAccount } from "#app/lib/account/account.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Route } from "./+types/account-enquiries";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = accountPage(readFromServer);
export const clientLoader = browserAccountPage(readAccount);

/** Lists the enquiries that the account's owner sent to the office. */
export default function AccountEnquiries({ loaderData }: Route.ComponentProps) {
  const t = useMessages(accountAreaMessages);
  return (
    <>
      <AreaSeo />
      <h2 className="mb-4 text-xl">{t.enquiries}</h2>
      <MyEnquiries enquiries={loaderData.enquiries} />
    </>
  );
}
