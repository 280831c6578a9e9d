import type { Site } from "#app/lib/api/types.ts";

type Place = Pick<Site["locations"][number], "slug" | "partOf">;

interface Branch<P> {
  place: P;
  /** How many places it is nested in. */
  depth: number;
}

/** Returns a function that looks up a place's name by its slug; an unknown slug is returned as it is. */
export function placeNameIn(
  places: readonly Pick<Site["locations"][number], "slug" | "name">[],
): (slug: string) => string {
  return (slug) => places.find((place) => place.slug === slug)?.name ?? slug;
}

/** Returns the places that contain `slug`, the outermost first. */
export function placesAround<P extends Place>(places: readonly P[], slug: string): readonly P[] {
  const around: P[] = [];
  const outerOf = (inner: string) => {
    const partOf = places.find((place) => place.slug === inner)?.partOf;
    return places.find((place) => place.slug === partOf);
  };
  for (let outer = outerOf(slug); outer && !around.includes(outer); outer = outerOf(outer.slug)) {
    around.unshift(outer);
  }
  return around;
}

/**
 * Returns all places, each after the one that contains it, and otherwise in the editors' order. Two places
 * may have the same slug for a moment, while it moves from one to the other.
 */
export function placeTree<P extends Place>(places: readonly P[]): readonly Branch<P>[] {
  const isKnown = (slug: string | null | undefined) => places.some((place) => place.slug === slug);
  const visited = new Set<P>();
  const branch = (place: P, depth: number): Branch<P>[] => {
    if (visited.has(place)) return [];
    visited.add(place);
    const parts = partsOf(places, place.slug);
    return [{ place, depth }, ...parts.flatMap((part) => branch(part, depth + 1))];
  };
  return places.filter(({ partOf }) => !isKnown(partOf)).flatMap((place) => branch(place, 0));
}

/** Returns the places directly within `slug`. */
export function partsOf<P extends Place>(places: readonly P[], slug: string): readonly P[] {
  return places.filter(({ partOf }) => partOf === slug);
}
