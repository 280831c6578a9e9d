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
  /** The editors' text about the place; undefined on lists that do not show it. */
  text: Text | undefined;
}

/** The place's prices and description, shown below its homes, and links to related lists. */
export default function AboutPlace({ text, ...rest }: AboutPlaceProps) {
  const { locations } = useSite();
  const around = placesAround(locations, rest.place.slug).toReversed();
  // On a list of one type these counts would cover that type only, while the lists that they link to show
  // all types.
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
