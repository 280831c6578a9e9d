import { useLocation } from "react-router";
import { NotOpenYet } from "#app/features/account/not-open-yet.tsx";
import { neutralPath } from "#app/lib/i18n/locale.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** The door of the client area, with its two names. */
export default function Account() {
  return <NotOpenYet signup={neutralPath(useLocation().pathname) === "/signup"} />;
}
