import type { PropertyKind } from "#app/lib/api/types.ts";
import type { Search } from "#app/lib/search/search-params.ts";

/** Those that `nounOf` has another word for; it is not asked, as a list would load a script more. */
const NO_HOMES: readonly PropertyKind[] = ["premises", "bar", "office", "land", "garage"];

/** Whether a search, of which nothing is known but what it asks for, finds nothing but homes to live in. */
export function asksForHomes({
  propertyType,
  kind,
}: Pick<Search, "propertyType" | "kind">): boolean {
  if (propertyType.length > 0) return !propertyType.includes("Commercial");
  return kind.length > 0 && !kind.some((each) => NO_HOMES.includes(each));
}
