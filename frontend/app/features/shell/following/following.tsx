import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { followChanges } from "#app/lib/live/follow-changes.ts";
import { type OfferChange, watchHomes } from "./home-changes.ts";
import { changesInWords } from "./messages.ts";

/** Keeps the page as the site is, and says politely what has changed of the homes that it shows. */
export function Following() {
  const client = useQueryClient();
  const locale = useLocale();
  const [news, setNews] = useState("");
  const tell = useEffectEvent((changes: readonly OfferChange[]) =>
    setNews(changesInWords(changes, locale)),
  );
  useEffect(() => {
    const stop = new AbortController();
    watchHomes(client, (changes) => tell(changes), stop.signal);
    followChanges(client, stop.signal);
    return () => stop.abort();
  }, [client]);
  // What was said of one page is nothing to come upon in the next.
  useNavigated(() => setNews(""));
  return (
    <p role="status" className="sr-only">
      {news}
    </p>
  );
}
