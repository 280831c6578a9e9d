import { useMyHomesState } from "#app/lib/my-homes/use-my-homes.ts";
import { Comparison } from "./comparison.tsx";
import { Favourites } from "./favourites.tsx";
import { HiddenHomes, HomesLoading, HomesUnavailable, RecentHomes } from "./home-lists.tsx";

/** A part of the client area that lists homes; the favourites if `part` is undefined. */
export default function MyHomesPage({ part }: { part: string | undefined }) {
  const state = useMyHomesState();
  if (state === "loading") return <HomesLoading />;
  if (state === "away") return <HomesUnavailable />;
  if (part === "compare") return <Comparison />;
  if (part === "recent") return <RecentHomes />;
  if (part === "hidden") return <HiddenHomes />;
  return <Favourites />;
}
