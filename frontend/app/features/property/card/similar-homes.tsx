import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";
import { detailMessages } from "../detail-messages.ts";
import type { Noun } from "../noun.ts";
import { PropertyCard } from "./property-card.tsx";

interface SimilarHomesProps {
  homes: readonly Card[];
  /** The noun of the home they are similar to, and so theirs; undefined where that home is withdrawn. */
  noun?: Noun | undefined;
  newBuild?: boolean;
  /** The name of the place where they are. */
  place: string;
}

/** Homes that are similar to the one shown. */
export function SimilarHomes(props: SimilarHomesProps) {
  const title = useSimilarTitle(props);
  const { homes } = props;
  if (homes.length === 0) return null;
  return (
    <section aria-labelledby="similar" className="bg-sunk print:hidden">
      <div className="page-width py-14 lg:py-20">
        <h2 id="similar" className="text-title">
          {title}
        </h2>
        <ul className="mt-8 grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
          {homes.map((home) => (
            <li key={home.ref}>
              <PropertyCard property={home} sizes={CARD_SIZES.four} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Returns the heading of the section, which links to it use too. */
export function useSimilarTitle({ homes, noun, newBuild, place }: SimilarHomesProps): string {
  const d = useMessages(detailMessages);
  if (!noun) return d.alsoForSale(place);
  const allNew = newBuild && homes.every((home) => home.newBuild);
  return allNew && noun === "home" ? d.similarNew : d.similar(noun);
}
