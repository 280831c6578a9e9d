import { Following } from "#app/lib/live/following.tsx";
import { KeepOffline } from "#app/lib/offline/keep-offline.tsx";
import { NewBuild } from "#app/lib/release/new-build.tsx";

export interface BackgroundProps {
  /** Whether the pages that are seen may be kept on the device. */
  offline: boolean;
}

/** Follows changes, notices a new build, and keeps what was read for a time without a connection. */
export function BackgroundWork({ offline }: BackgroundProps) {
  return (
    <>
      <Following />
      <NewBuild />
      {offline ? <KeepOffline /> : null}
    </>
  );
}
