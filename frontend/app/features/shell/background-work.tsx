import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { retryFailedPictures } from "#app/lib/browser/failed-pictures.ts";
import { replayStorageEvents } from "#app/lib/browser/replay-storage-events.ts";
import { KeepOffline } from "#app/lib/offline/keep-offline.tsx";
import {
  PREVIEW_ENDED,
  PREVIEW_KEY,
  type Preview,
  previewAddress,
  takeSavedPreview,
} from "#app/lib/preview/preview.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { NewBuild } from "#app/lib/release/new-build.tsx";
import { countVisit } from "#app/lib/vitals/count-visit.ts";
import { closeMenuOnLargeScreen, closeUnfocusedPanels } from "./close-panels.ts";
import { LiveUpdates } from "./live-updates/live-updates.tsx";
import { useRouteFocus } from "./route-focus.ts";

const PreviewBar = lazy(() => import("./preview/preview-bar.tsx"));

/**
 * Runs a page's background tasks: it moves the focus after navigations, closes panels that lost the focus
 * and the menu where the window has grown, reports what was stored while the page was in the back/forward
 * cache, follows changes, detects a new build, retries pictures that failed to load, stores pages for offline
 * use, and measures how quickly the page appeared. For a preview it does only the first four, and shows the
 * editor's bar.
 */
export function BackgroundWork() {
  useRouteFocus();
  useEffect(closeUnfocusedPanels, []);
  useEffect(closeMenuOnLargeScreen, []);
  useEffect(replayStorageEvents, []);
  const client = useQueryClient();
  const [preview] = useState(() => client.getQueryData<Preview>(PREVIEW_KEY));
  if (!preview) return <PublicPageWork />;
  return (
    <Boundary>
      <PreviewBar preview={preview} />
    </Boundary>
  );
}

function PublicPageWork() {
  useEffect(countVisit, []);
  useEffect(retryFailedPictures, []);
  useEffect(() => {
    const saved = takeSavedPreview();
    if (location.hash === PREVIEW_ENDED) {
      history.replaceState(history.state, "", location.pathname + location.search);
    } else if (saved) {
      // The preview ticket has expired, but the tab remembers that its editor was previewing.
      location.replace(previewAddress(location, saved));
    }
  }, []);
  return (
    <>
      <LiveUpdates />
      <NewBuild />
      <KeepOffline />
    </>
  );
}
