import type { ListingStatus, PropertyItem } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { statusNames } from "#app/lib/vocabulary/names.ts";
import { propertyMessages } from "./messages.ts";

const STATUS_DOT: Record<ListingStatus, string> = {
  for_sale: "bg-leaf",
  under_offer: "bg-sun-strong",
  sale_agreed: "bg-clay",
  pending: "bg-sea",
  sold: "bg-muted",
};

const badge =
  "inline-flex items-center gap-1.5 rounded-full bg-surface px-2.5 py-1 text-xs font-semibold leading-none text-ink";

/** Where the sale stands, in words beside the colour. */
export function StatusBadge({ status }: { status: ListingStatus }) {
  const names = useMessages(statusNames);
  return (
    <span className={badge}>
      <span className={`size-2 rounded-full ${STATUS_DOT[status]}`} aria-hidden="true" />
      {names[status]}
    </span>
  );
}

type Badged = Pick<PropertyItem, "status" | "reduced" | "newBuild">;

/** What a visitor should know at a glance; a home simply for sale needs no badge in a list. */
export function Badges({ property, always = false }: { property: Badged; always?: boolean }) {
  const t = useMessages(propertyMessages);
  return (
    <>
      {always || property.status !== "for_sale" ? <StatusBadge status={property.status} /> : null}
      {property.reduced ? <span className={`${badge} bg-sun text-on-sun`}>{t.reduced}</span> : null}
      {property.newBuild ? <span className={badge}>{t.newBuild}</span> : null}
    </>
  );
}
