import { useQuery } from "@tanstack/react-query";
import { Outlet } from "react-router";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { SkipLink } from "#app/ui/skip-link.tsx";
import { ToastArea } from "#app/ui/toast-area.tsx";
import { sessionQuery } from "#console/lib/api/queries.ts";
import { ConnectionProvider, useFollowOverview } from "#console/lib/live/connection.ts";
import { Header } from "./header.tsx";
import { LostNote } from "./live-note.tsx";
import { shellMessages } from "./messages.ts";

/** The frame around every page of a signed-in operator. */
export function Frame() {
  const connection = useFollowOverview();
  return (
    <ConnectionProvider value={connection}>
      <SkipLink />
      <ProgressBar />
      <Header />
      <main id="content" tabIndex={-1} className="list-width flex-1 pt-8 pb-20 outline-none">
        <LostNote />
        <ReadOnlyNote />
        <Outlet />
      </main>
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col">
        <ToastArea />
      </div>
    </ConnectionProvider>
  );
}

/** Explains once why an operator who may not act sees no actions. */
function ReadOnlyNote() {
  const t = useMessages(shellMessages);
  const { data } = useQuery(sessionQuery);
  if (!data || data.operator.mayAct) return null;
  return (
    <p className="mb-6 rounded-card bg-sun-wash px-5 py-3 text-sm">
      {t.lookingOnly} <code className="whitespace-nowrap">almijara operator add --may-act</code>.
    </p>
  );
}
