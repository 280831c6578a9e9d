import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { followChanges } from "#app/lib/live/follow-changes.ts";
import { type OfferChange, watchHomes } from "./home-changes.ts";
import { changesInWords } from "./messages.ts";

/** Keeps the page up to date, and announces changes of its homes politely to screen readers. */
export function LiveUpdates() {
  const client = useQueryClient();
  const locale = useLocale();
  const [announcement, setAnnouncement] = useState("");
  const announce = useEffectEvent((changes: readonly OfferChange[]) =>
    setAnnouncement(changesInWords(changes, locale)),
  );
  useEffect(() => {
    const stop = new AbortController();
    watchHomes(client, (changes) => announce(changes), stop.signal);
    followChanges(client, stop.signal);
    return () => stop.abort();
  }, [client]);
  // An announcement about one page must not be found on the next.
  useNavigated(() => setAnnouncement(""));
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  );
}
