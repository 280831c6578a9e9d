import type { PropertyList, PlaceText as Text } from "#app/lib/api/types.ts";
import { partsOf, placesAround } from "#app/lib/site/places.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { PlaceLinks } from "./place-links.tsx";
import { PlacePrices } from "./place-prices.tsx";
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
  // On the list of one type the counts of parts, and of what is sold, would be of that type, and their
  // lists of all.
  const parts = text ? partsOf(locations, rest.place.slug) : [];
  const sold = text ? (rest.facets.status.sold ?? 0) : 0;
  return (
    <>
      {text?.prices ? <PlacePrices place={text.name} prices={text.prices} /> : null}
      {text ? <PlaceText place={text} /> : null}
      <PlaceLinks {...rest} parts={parts} around={around} sold={sold} />
    </>
  );
}
