import { useLocation } from "react-router";
import { neutralPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { formatDuration } from "#console/lib/format/duration.ts";
import { useIdle } from "#console/lib/idle.ts";
import { useConnection, useOverview } from "#console/lib/live/connection.ts";
import { useNow } from "#console/lib/now.ts";
import { State, type Tone } from "#console/ui/state.tsx";
import { shellMessages } from "./messages.ts";

const TONES: Record<"connecting" | "live" | "resting" | "lost", Tone> = {
  live: "well",
  resting: "resting",
  connecting: "unknown",
  lost: "wrong",
};

/** Shows whether the page is up to date. */
export function LiveMark() {
  const t = useMessages(shellMessages);
  const { state } = useConnection();
  // Lists are polled only while the operator is active; the flow arrives through the event stream.
  const isFlow = neutralPath(useLocation().pathname) === "/";
  const isResting = useIdle() && !isFlow && state === "live";
  const shown = isResting ? "resting" : state;
  return <State tone={TONES[shown]}>{t[shown]}</State>;
}

/** Shows how old the page is once the connection is lost. Only the loss is announced, not the growing age. */
export function LostNote() {
  const t = useMessages(shellMessages);
  const lost = useConnection().state === "lost";
  return (
    <>
      <p role="status" className="sr-only">
        {lost ? t.lost : ""}
      </p>
      {lost ? (
        <div className="mb-6 flex gap-3 rounded-card border border-clay bg-surface p-4">
          <Icon name="alert" className="mt-0.5 size-5 text-clay" />
          <div>
            <p className="font-medium">
              <LostFor />
            </p>
            <p className="text-sm text-muted">{t.tryingAgain}</p>
          </div>
        </div>
      ) : null}
    </>
  );
}

function LostFor() {
  const t = useMessages(shellMessages);
  const locale = useLocale();
  const { overview, at } = useOverview();
  const now = useNow();
  if (!overview) return t.lostBefore;
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  return t.lostFor(formatDuration(locale, seconds * 1_000 || 1_000));
}
