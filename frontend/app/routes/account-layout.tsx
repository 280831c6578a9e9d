import { Outlet } from "react-router";
import { AccountArea } from "#app/features/account/account-area.tsx";
import { isMarkedSignedIn } from "#app/lib/account/account.ts";
import type { Route } from "./+types/account-layout";

export function loader({ request }: Route.LoaderArgs) {
  return { signedIn: isMarkedSignedIn(request.headers.get("cookie")) };
}

export function clientLoader() {
  return { signedIn: isMarkedSignedIn(document.cookie) };
}

/** The client area's frame: its navigation, and whether the visitor is signed in. */
export default function AccountLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AccountArea signedIn={loaderData.signedIn}>
      <Outlet />
    </AccountArea>
  );
}
