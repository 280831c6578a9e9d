import type { ListingStatus, PropertyItem } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { markNames, statusNames } from "#app/lib/vocabulary/names.gen.ts";

const STATUS_DOT: Record<ListingStatus, string> = {
  for_sale: "bg-leaf",
  under_offer: "bg-sun-strong",
  sale_agreed: "bg-clay",
  pending: "bg-sea",
  sold: "bg-muted",
};

/** On a photograph, or on a card. */
const GROUND = { photo: "bg-surface text-ink", card: "bg-sunk text-ink" } as const;

interface BadgesProps {
  property: Pick<PropertyItem, "status" | "reduced" | "newBuild">;
  ground: keyof typeof GROUND;
  /** Whether to say, too, that a home is simply for sale: a list need not. */
  always?: boolean;
}

/** What a visitor should know at a glance, in words beside the colour. */
export function Badges({ property, ground, always = false }: BadgesProps) {
  const marks = useMessages(markNames);
  const statuses = useMessages(statusNames);
  const plain = `badge ${GROUND[ground]}`;
  return (
    <>
      {always || property.status !== "for_sale" ? (
        <span className={plain}>
          <span
            className={`size-2 rounded-full ${STATUS_DOT[property.status]}`}
            aria-hidden="true"
          />
          {statuses[property.status]}
        </span>
      ) : null}
      {property.reduced ? <span className="badge bg-sun text-on-sun">{marks.reduced}</span> : null}
      {property.newBuild ? <span className={plain}>{marks.newBuild}</span> : null}
    </>
  );
}
