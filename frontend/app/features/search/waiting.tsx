import { useEffect, useState } from "react";
import { useNavigation } from "react-router";
import { neutralPath } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { searchMessages } from "./messages.ts";

const LIST = /^\/property-for-sale(\/[^/]+)?$/;
/** What comes sooner was never waited for. */
const MOMENT_MS = 200;

/** Whether the next list is on its way, and has been for longer than a moment. */
export function useWaiting(): boolean {
  const { location } = useNavigation();
  const loading = location !== undefined && LIST.test(neutralPath(location.pathname));
  const [shows, setShows] = useState(false);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setShows(true), MOMENT_MS);
    return () => {
      clearTimeout(timer);
      setShows(false);
    };
  }, [loading]);
  return loading && shows;
}

/** Cards to come: as many as there were, so that nothing below them moves. */
export function WaitingCards({ count, className }: { count: number; className: string }) {
  const t = useMessages(searchMessages);
  return (
    <>
      <p role="status" className="sr-only">
        {t.loading}
      </p>
      <ul aria-hidden="true" className={className}>
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one is as the other
          <li key={index} className="plain-card p-2">
            <div className="plaster aspect-4/3 rounded-within" />
            <div className="flex flex-col gap-3 px-2.5 pt-5 pb-3">
              <Skeleton className="h-6 w-1/3" />
              <Skeleton className="h-5 w-5/6" />
              <Skeleton className="h-4 w-1/2" />
              <Skeleton className="h-4 w-2/3" />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
