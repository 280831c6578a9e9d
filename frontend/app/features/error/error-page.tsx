import { useEffect } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { ApiError } from "#app/lib/api/answer.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { buttonStyle } from "#app/ui/button.tsx";
import { FailedBar } from "#app/ui/progress-bar.tsx";
import { errorMessages } from "./messages.ts";

/** Returns the HTTP status of an error; 500 if the error is not a response. */
export function statusOf(error: unknown): number {
  if (isRouteErrorResponse(error) || error instanceof ApiError) return error.status;
  return 500;
}

/** Whether there is no page at the address, or no longer. */
function isMissing(status: number): boolean {
  return status === 404 || status === 410;
}

interface ErrorPageProps {
  /** Defaults to 404. */
  status?: number;
  title?: string;
  message?: string;
  suffix?: string | undefined;
}

/** Replaces a page that can't be shown. */
export function ErrorPage({ status = 404, title, message, suffix }: ErrorPageProps) {
  const t = useMessages(errorMessages);
  const { pathname } = useLocation();
  // The error may occur while the visitor is scrolled far down, but its message is at the top.
  useEffect(() => scrollTo(0, 0), []);
  const missing = isMissing(status);
  const text = message ?? (missing ? t.notFound(pathname) : status === 503 ? t.away : t.message);
  return (
    <>
      <Seo
        title={missing ? t.notFoundTitle : t.title}
        description={missing ? t.notFoundDescription : text}
        suffix={suffix}
        path={undefined}
      />
      <FailedBar />
      <ErrorCard status={status} title={title ?? t.title} message={text} />
    </>
  );
}

interface ErrorCardProps {
  status: number;
  title: string;
  message: string;
}

/** The visible part of the error page. */
export function ErrorCard({ status, title, message }: ErrorCardProps) {
  const t = useMessages(errorMessages);
  const locale = useLocale();
  const missing = isMissing(status);
  return (
    <div className="page-width flex flex-1 flex-col items-center justify-center py-24 text-center">
      <p className="arch relative flex h-64 w-48 items-end justify-center overflow-visible! bg-sunk pb-8 font-display text-6xl tabular-nums">
        <span
          aria-hidden="true"
          className="absolute top-10 left-1/2 size-20 -translate-x-1/2 rounded-full bg-sun"
        />
        <span className="relative">{status}</span>
      </p>
      <h1 className="mt-8 text-title">{title}</h1>
      <p className="mt-3 max-w-prose text-lg break-words text-muted">{message}</p>
      {missing ? <p className="mt-1 max-w-prose text-lg">{t.notFoundDescription}</p> : null}
      {/* Full document loads, which clear the broken state of this one. */}
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <a href={localizedPath(locale, "/")} className={buttonStyle.primary}>
          {t.home}
        </a>
        {missing ? (
          <a href={localizedPath(locale, "/property-for-sale")} className={buttonStyle.outline}>
            {t.homes}
          </a>
        ) : null}
      </div>
    </div>
  );
}
