import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Link } from "#app/ui/link.tsx";

const messages = defineMessages({
  en: {
    noRentals: "We sell homes and have none to rent. What you see here is for sale.",
    rentals: "Villas to rent in Marbella",
  },
  es: {
    noRentals: "Vendemos inmuebles y no los alquilamos. Todo lo que ve aquí está en venta.",
    rentals: "Alquiler de villas en Marbella",
  },
});

/** The page about villas to rent. It is linked only if one of the editors' menus has it. */
const RENTALS = "/marbella-villa-rentals";

/** Tells visitors who search for a home to rent that these are for sale, and links to rentals. */
export default function NoRentals() {
  const t = useMessages(messages);
  const { footer, popular, quick } = useSite().navigation;
  const rentals = [...footer, ...popular, ...quick].some(({ url }) => url === RENTALS);
  return (
    <p className="mb-4 max-w-[65ch] rounded-2xl bg-sunk px-4 py-3">
      {t.noRentals}
      {rentals ? (
        <>
          {" "}
          <Link to={RENTALS} className="text-link font-medium">
            {t.rentals}
          </Link>
        </>
      ) : null}
    </p>
  );
}
