import { AreaSeo } from "#app/features/account/area-seo.tsx";
import { Everything } from "#app/features/account/everything.tsx";
import { accountPage, readExport as readFromServer } from "#app/lib/account/account.server.ts";
import { browserAccountPage, readExport } from "#app/lib/account/account.ts";
import type { Route } from "./+types/account-everything";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = accountPage(readFromServer);
export const clientLoader = browserAccountPage(readExport);

/** Shows all data stored about an account, to read and print. */
export default function AccountEverything({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <AreaSeo />
      <Everything everything={loaderData} />
    </>
  );
}
