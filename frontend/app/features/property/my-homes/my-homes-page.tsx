import { useMyHomesState } from "#app/lib/my-homes/use-my-homes.ts";
import { Comparison } from "./comparison.tsx";
import { Favourites } from "./favourites.tsx";
import { AllAway, KeptHomes, Loading } from "./kept-homes.tsx";

/** A part of the client area that shows homes; without a name, the favourites. */
export default function MyHomesPage({ part }: { part: string | undefined }) {
  const state = useMyHomesState();
  if (state === "loading") return <Loading />;
  if (state === "away") return <AllAway />;
  if (part === "compare") return <Comparison />;
  if (part === "recent" || part === "hidden") return <KeptHomes which={part} />;
  return <Favourites />;
}
