import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { CARD_SIZES } from "#app/ui/card-sizes.ts";
import { detailMessages } from "../detail-messages.ts";
import { PropertyCard } from "./property-card.tsx";

/** Homes that may please whoever looks at this one. */
export function SimilarHomes({ homes }: { homes: readonly Card[] }) {
  const d = useMessages(detailMessages);
  if (homes.length === 0) return null;
  return (
    <section aria-labelledby="similar" className="bg-sunk print:hidden">
      <div className="page-width py-14 lg:py-20">
        <h2 id="similar" className="text-title">
          {d.similar}
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
