import type { PropertyKind } from "#app/lib/api/types.ts";
import type { Search } from "#app/lib/search/search-params.ts";

/**
 * The kinds that `nounOf` does not call homes. It is not imported, because lists would load another script.
 */
const NON_RESIDENTIAL: readonly PropertyKind[] = ["premises", "bar", "office", "land", "garage"];

/** Whether a search can find only homes to live in, judged by its filters alone. */
export function asksForHomes({
  propertyType,
  kind,
}: Pick<Search, "propertyType" | "kind">): boolean {
  if (propertyType.length > 0) return !propertyType.includes("Commercial");
  return kind.length > 0 && !kind.some((each) => NON_RESIDENTIAL.includes(each));
}
