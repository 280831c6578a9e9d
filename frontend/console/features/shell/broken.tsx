import { isRouteErrorResponse, useRevalidator, useRouteError } from "react-router";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { CallError } from "#console/lib/api/call-error.ts";
import { Failure } from "#console/ui/failure.tsx";
import { uiMessages } from "#console/ui/messages.ts";
import { Page } from "#console/ui/page.tsx";
import { shellMessages } from "./messages.ts";

/** Replaces the whole console when the service does not answer. */
export function Broken() {
  return (
    <main className="list-width flex-1 py-16">
      <BrokenPage />
    </main>
  );
}

/** Replaces a page that fails. The page may be of an older build than the scripts on the server. */
export function BrokenPage() {
  const t = useMessages(shellMessages);
  const ui = useMessages(uiMessages);
  const error = useRouteError();
  const { revalidate, state } = useRevalidator();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  const isOfService = error instanceof CallError;
  return (
    <Page title={t.brokenTitle}>
      <div className="mt-6 grid max-w-xl justify-items-start gap-5">
        {isOfService ? <Failure error={error} /> : <p role="alert">{t.pageFailed}</p>}
        <Button
          look="outline"
          busy={state === "loading"}
          onClick={() => (isOfService ? void revalidate() : location.reload())}
        >
          {ui.again}
        </Button>
      </div>
    </Page>
  );
}

/** The page for an unknown address. */
export function NotFoundPage() {
  const t = useMessages(shellMessages);
  return (
    <Page title={t.missingTitle} lead={t.missing}>
      <p className="mt-6">
        <Link to="/" className={buttonStyle.outline}>
          {t.toFlow}
        </Link>
      </p>
    </Page>
  );
}

/** Shown until the first answer arrives. */
export function LoadingPage() {
  const t = useMessages(shellMessages);
  return (
    <p role="status" className="sr-only">
      {t.waiting}
    </p>
  );
}
