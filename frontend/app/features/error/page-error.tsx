import { useRouteError } from "react-router";
import { useSite } from "#app/lib/site/site-query.ts";
import { ErrorPage, statusOf } from "./error-page.tsx";

/** The error page inside the header and the footer: what every page exports as its boundary. */
export function PageError() {
  const { settings } = useSite();
  return <ErrorPage status={statusOf(useRouteError())} suffix={settings.titleSuffix} />;
}
