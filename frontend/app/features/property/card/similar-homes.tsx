import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";
import { detailMessages } from "../detail-messages.ts";
import { type Noun, nounOf } from "../noun.ts";
import { PropertyCard } from "./property-card.tsx";

interface SimilarHomesProps {
  homes: readonly Card[];
  /** What they should be like, where that is known. */
  noun?: Noun | undefined;
  /** Where they are. */
  place: string;
}

/** What may please whoever looks at this one: of its own kind, or else whatever is near. */
export function SimilarHomes({ homes, noun, place }: SimilarHomesProps) {
  const title = useSimilarTitle({ homes, noun, place });
  const alike = homes.filter(({ kind }) => nounOf(kind) === noun);
  if (homes.length === 0) return null;
  return (
    <section aria-labelledby="similar" className="bg-sunk print:hidden">
      <div className="page-width py-14 lg:py-20">
        <h2 id="similar" className="text-title">
          {title}
        </h2>
        <ul className="mt-8 grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
          {(alike.length > 0 ? alike : homes).map((home) => (
            <li key={home.ref}>
              <PropertyCard property={home} sizes={CARD_SIZES.four} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** What stands above them, and in links that lead there. */
export function useSimilarTitle({ homes, noun, place }: SimilarHomesProps): string {
  const d = useMessages(detailMessages);
  const alike = noun && homes.some(({ kind }) => nounOf(kind) === noun);
  return alike ? d.similar(noun) : d.alsoForSale(place);
}
