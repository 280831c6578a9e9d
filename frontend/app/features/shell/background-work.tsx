import { useEffect } from "react";
import { Following } from "#app/lib/live/following.tsx";
import { KeepOffline } from "#app/lib/offline/keep-offline.tsx";
import { NewBuild } from "#app/lib/release/new-build.tsx";
import { countVisit } from "#app/lib/vitals/count-visit.ts";

export interface BackgroundProps {
  /** Whether the pages that are seen may be kept on the device. */
  offline: boolean;
}

/**
 * Follows changes, notices a new build, keeps what was read for a time without a connection, and counts
 * how quickly the page appeared.
 */
export function BackgroundWork({ offline }: BackgroundProps) {
  useEffect(countVisit, []);
  return (
    <>
      <Following />
      <NewBuild />
      {offline ? <KeepOffline /> : null}
    </>
  );
}
