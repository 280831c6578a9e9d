import { Outlet } from "react-router";
import { AccountArea } from "#app/features/account/account-area.tsx";
import { isMarkedSignedIn } from "#app/lib/account/account.ts";
import { layoutData } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import type { Route } from "./+types/account-layout";

const load: PageLoad = async () => {};

export async function loader(from: Route.LoaderArgs) {
  await layoutData(load)(from);
  return { signedIn: isMarkedSignedIn(from.request.headers.get("cookie")) };
}

export async function clientLoader(from: Route.ClientLoaderArgs) {
  await browserPage(load)(from);
  return { signedIn: isMarkedSignedIn(document.cookie) };
}

/** The client area: its parts, and whoever is signed in. */
export default function AccountLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AccountArea signedIn={loaderData.signedIn}>
      <Outlet />
    </AccountArea>
  );
}
