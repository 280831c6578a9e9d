import type { Site } from "#app/lib/api/types.ts";

type Place = Pick<Site["locations"][number], "slug" | "partOf">;

interface Branch<P> {
  place: P;
  /** How many places are around it. */
  depth: number;
}

/** Gives a place's name by its slug; of one that the site does not know, the slug. */
export function placeNameIn(
  places: readonly Pick<Site["locations"][number], "slug" | "name">[],
): (slug: string) => string {
  return (slug) => places.find((place) => place.slug === slug)?.name ?? slug;
}

/** The places that `slug` is part of, the largest first. */
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
 * Every place, each after the one that it is part of, and otherwise in the editors' order. Two may have one slug
 * for the moment in which it goes from one to the other.
 */
export function placeTree<P extends Place>(places: readonly P[]): readonly Branch<P>[] {
  const isKnown = (slug: string | null | undefined) => places.some((place) => place.slug === slug);
  const met = new Set<P>();
  const branch = (place: P, depth: number): Branch<P>[] => {
    if (met.has(place)) return [];
    met.add(place);
    const parts = partsOf(places, place.slug);
    return [{ place, depth }, ...parts.flatMap((part) => branch(part, depth + 1))];
  };
  return places.filter(({ partOf }) => !isKnown(partOf)).flatMap((place) => branch(place, 0));
}

/** The places that lie in `slug`, and in no other between. */
export function partsOf<P extends Place>(places: readonly P[], slug: string): readonly P[] {
  return places.filter(({ partOf }) => partOf === slug);
}
