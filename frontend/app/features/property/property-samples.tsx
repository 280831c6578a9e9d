import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { Button } from "#app/ui/button.tsx";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import { PropertyCard } from "./card/property-card.tsx";
import { useLightbox } from "./gallery/lightbox/use-lightbox.tsx";

/** A card with every field set. Its values are fixed, so that screenshots don't depend on the current homes. */
const HOME: Omit<Card, "images"> = {
  ref: "S-1",
  title: "Villa with a view of two bays",
  location: { slug: "nerja", name: "Nerja" },
  kind: "villa",
  status: "under_offer",
  price: 625_000,
  previousPrice: 650_000,
  bedrooms: 4,
  bathrooms: 3,
  builtArea: 240,
  plotArea: 1_200,
  reduced: true,
  newBuild: true,
  energyRating: "D",
  publishedAt: "2026-01-01T00:00:00Z",
};

/** Catalogue samples: a card with every field, a card with the minimum, and the lightbox. */
export function PropertySamples({ cards }: { cards: readonly Card[] }) {
  const lightbox = useLightbox(() => undefined);
  const full: Card = { ...HOME, images: cards[0]?.images ?? [] };
  const bare: Card = {
    ref: "S-2",
    title: "Garage near the market",
    location: HOME.location,
    kind: "garage",
    status: "sold",
    publishedAt: HOME.publishedAt,
    images: [],
  };
  return (
    <SampleGroup name="Homes">
      <Sample name="Property card">
        <ul className="grid w-full gap-5 sm:grid-cols-2">
          {[full, bare].map((card) => (
            <li key={card.ref}>
              <PropertyCard property={card} sizes={CARD_SIZES.three} />
            </li>
          ))}
        </ul>
      </Sample>
      <Sample name="Lightbox">
        <Button look="outline" onClick={(event) => lightbox.open(event)}>
          Look at pictures
        </Button>
        {lightbox.over({
          pictures: cards.flatMap(({ images }) => images.slice(0, 1)),
          title: "Some homes",
          alt: (index) => cards[index]?.title ?? "",
        })}
      </Sample>
    </SampleGroup>
  );
}
