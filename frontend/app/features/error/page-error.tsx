import { useRouteError } from "react-router";
import { useSite } from "#app/lib/site/site-query.ts";
import { ErrorPage, statusOf } from "./error-page.tsx";

/** The error page between header and footer; every route exports it as its `ErrorBoundary`. */
export function PageError() {
  const { settings } = useSite();
  return <ErrorPage status={statusOf(useRouteError())} suffix={settings.titleSuffix} />;
}
