import { useLocation } from "react-router";
import { NotOpenYet } from "#app/features/account/not-open-yet.tsx";
import { neutralPath } from "#app/lib/i18n/locale.ts";

import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async () => {};

export const loader = privatePage(load);
export const clientLoader = browserPage(load);

/** The door of the client area, with its two names. */
export default function Account() {
  return <NotOpenYet signup={neutralPath(useLocation().pathname) === "/signup"} />;
}
