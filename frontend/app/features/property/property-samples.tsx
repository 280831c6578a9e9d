import { Suspense, useRef, useState } from "react";
import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { Button } from "#app/ui/button.tsx";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import { PropertyCard } from "./card/property-card.tsx";

const Lightbox = lazy(async () => {
  const module = await import("./gallery/lightbox/lightbox.tsx");
  return { default: module.Lightbox };
});

/** A home in a list, whole and with the least that it can have, and its photographs over the window. */
export function PropertySamples({ cards }: { cards: readonly Card[] }) {
  const [start, setStart] = useState<number>();
  const opener = useRef<HTMLButtonElement>(null);
  const [home] = cards;
  if (!home) return null;
  const bare: Card = {
    ...home,
    ref: `${home.ref}-bare`,
    images: [],
    price: null,
    previousPrice: null,
    status: "sold",
  };
  return (
    <SampleGroup name="Homes">
      <Sample name="Property card">
        <ul className="grid w-full gap-5 sm:grid-cols-2">
          {[home, bare].map((card) => (
            <li key={card.ref}>
              <PropertyCard property={card} sizes={CARD_SIZES.three} />
            </li>
          ))}
        </ul>
      </Sample>
      <Sample name="Lightbox">
        <Button ref={opener} look="outline" onClick={() => setStart(0)}>
          Look at pictures
        </Button>
        {start === undefined ? null : (
          <Suspense>
            <Lightbox
              pictures={cards.flatMap(({ images }) => images.slice(0, 1))}
              start={start}
              title="Some homes"
              alt={(index) => cards[index]?.title ?? ""}
              onClose={() => setStart(undefined)}
              opener={opener}
            />
          </Suspense>
        )}
      </Sample>
    </SampleGroup>
  );
}
