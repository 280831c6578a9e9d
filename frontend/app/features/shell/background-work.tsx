import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { fetchLostPictures } from "#app/lib/browser/lost-pictures.ts";
import { tellStoredMeanwhile } from "#app/lib/browser/stored-meanwhile.ts";
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
import { closeLeftPanels } from "./close-left-panels.ts";
import { Following } from "./following/following.tsx";
import { useRouteFocus } from "./route-focus.ts";

const PreviewBar = lazy(() => import("./preview/preview-bar.tsx"));

/**
 * Leads the keys on with each step and out of panels, tells what was stored while the page was left, follows
 * changes, notices a new build, asks again for pictures that did not come, keeps what was read for a time
 * without a connection, and counts how quickly the page appeared.
 * Of a preview it does the first three alone, and shows what its editor needs.
 */
export function BackgroundWork() {
  useRouteFocus();
  useEffect(closeLeftPanels, []);
  useEffect(tellStoredMeanwhile, []);
  const client = useQueryClient();
  const [preview] = useState(() => client.getQueryData<Preview>(PREVIEW_KEY));
  if (!preview) return <OfTheSite />;
  return (
    <Boundary>
      <PreviewBar preview={preview} />
    </Boundary>
  );
}

function OfTheSite() {
  useEffect(countVisit, []);
  useEffect(fetchLostPictures, []);
  useEffect(() => {
    const saved = takeSavedPreview();
    if (location.hash === PREVIEW_ENDED) {
      history.replaceState(history.state, "", location.pathname + location.search);
    } else if (saved) {
      // The ticket has ended, and the tab remembers that its editor previews.
      location.replace(previewAddress(location, saved));
    }
  }, []);
  return (
    <>
      <Following />
      <NewBuild />
      <KeepOffline />
    </>
  );
}
