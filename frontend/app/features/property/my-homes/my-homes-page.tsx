import { Comparison } from "./comparison.tsx";
import { Favourites } from "./favourites.tsx";
import { KeptHomes } from "./kept-homes.tsx";

/** A part of the client area that shows homes; without a name, the favourites. */
export default function MyHomesPage({ part }: { part: string | undefined }) {
  if (part === "compare") return <Comparison />;
  if (part === "recent" || part === "hidden") return <KeptHomes which={part} />;
  return <Favourites />;
}
