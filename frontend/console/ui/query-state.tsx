import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { formatDuration } from "#console/lib/format/duration.ts";
import { useNow } from "#console/lib/now.ts";
import { Failure } from "./failure.tsx";
import { uiMessages } from "./messages.ts";

interface QueryStateProps<Body> {
  of: UseQueryResult<Body>;
  children: (body: Body) => ReactNode;
}

/** Renders a query's data once it has arrived. If a refetch has failed, shows how old the data is. */
export function QueryState<Body>({ of, children }: QueryStateProps<Body>) {
  if (of.data === undefined) {
    return of.errorUpdateCount > 0 ? (
      <QueryFailure of={of} />
    ) : (
      <Skeleton className="h-28 w-full" />
    );
  }
  return (
    <>
      {of.error ? <Outdated at={of.dataUpdatedAt} error={of.error} /> : null}
      {children(of.data)}
    </>
  );
}

function QueryFailure({ of }: { of: Pick<UseQueryResult, "error" | "isFetching" | "refetch"> }) {
  const t = useMessages(uiMessages);
  // During a retry the query has no error. A message that vanished and returned would be announced each time.
  const [error, setError] = useState(of.error);
  if (of.error && of.error !== error) setError(of.error);
  // A page that is opened during a retry has shown no error yet.
  if (!error) return <Skeleton className="h-28 w-full" />;
  return (
    <div className="grid justify-items-start gap-4">
      <Failure error={error} />
      <Button look="outline" busy={of.isFetching} onClick={() => void of.refetch()}>
        {t.again}
      </Button>
    </div>
  );
}

function Outdated({ at, error }: { at: number; error: unknown }) {
  const t = useMessages(uiMessages);
  const locale = useLocale();
  const age = formatDuration(locale, Math.floor((useNow() - at) / 1_000) * 1_000);
  return (
    <div className="mb-4 grid gap-1.5">
      <Failure error={error} />
      <p className="text-sm text-muted">{t.old(age)}</p>
    </div>
  );
}
