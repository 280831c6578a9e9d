import type { ListingStatus, PropertyCard } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { markNames, statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { Badge, type BadgeDot } from "#app/ui/badge.tsx";

const STATUS_DOT: Record<ListingStatus, BadgeDot> = {
  for_sale: "leaf",
  under_offer: "sun",
  sale_agreed: "clay",
  pending: "sea",
  sold: "muted",
};

interface BadgesProps {
  property: Pick<PropertyCard, "status" | "reduced" | "newBuild">;
  /** What they are shown on. */
  ground: "photo" | "card";
  /** Whether to show the ordinary state "for sale" too; a list need not. */
  always?: boolean;
}

/** Returns whether a list shows any badge for a home. */
export function hasBadges({ status, reduced, newBuild }: BadgesProps["property"]): boolean {
  return status !== "for_sale" || Boolean(reduced) || Boolean(newBuild);
}

/** The badges of a home: status, reduced, new. Each has a text: colour is never the only sign. */
export function Badges({ property, ground, always = false }: BadgesProps) {
  const marks = useMessages(markNames);
  const statuses = useMessages(statusNames);
  const look = ground === "photo" ? "photo" : "plain";
  return (
    <>
      {always || property.status !== "for_sale" ? (
        <Badge look={look} dot={STATUS_DOT[property.status]}>
          {statuses[property.status]}
        </Badge>
      ) : null}
      {property.reduced && property.status !== "sold" ? (
        <Badge look="sun">{marks.reduced}</Badge>
      ) : null}
      {property.newBuild ? <Badge look={look}>{marks.newBuild}</Badge> : null}
    </>
  );
}
