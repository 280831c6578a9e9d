import type { PropertyList, PlaceText as Text } from "#app/lib/api/types.ts";
import { partsOf, placesAround } from "#app/lib/site/places.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { PlaceLinks } from "./place-links.tsx";
import { PlaceText } from "./place-text.tsx";

interface AboutPlaceProps {
  place: { slug: string; name: string };
  heading: string;
  facets: PropertyList["facets"];
  /** What the editors write of it, where it is to be read here. */
  text: Text | undefined;
}

/** What a place is like, after its homes, and where to go on from there. */
export default function AboutPlace({ text, ...rest }: AboutPlaceProps) {
  const { locations } = useSite();
  const around = placesAround(locations, rest.place.slug).toReversed();
  // On the list of one type the counts of parts would be of that type, and their lists of all.
  const parts = text ? partsOf(locations, rest.place.slug) : [];
  return (
    <>
      {text ? <PlaceText place={text} /> : null}
      <PlaceLinks {...rest} parts={parts} around={around} />
    </>
  );
}
