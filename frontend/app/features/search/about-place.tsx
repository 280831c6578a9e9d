import type { PropertyList, PlaceText as Text } from "#app/lib/api/types.ts";
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
  return (
    <>
      {text ? <PlaceText place={text} /> : null}
      <PlaceLinks {...rest} />
    </>
  );
}
