import type { Offer } from "#app/lib/property/offer.ts";
import { CardTools } from "./card-tools.tsx";
import { Heart } from "./heart.tsx";
import { PageTools } from "./page-tools.tsx";

const TOOLS = { card: CardTools, page: PageTools, pin: Heart };

export interface ToolsProps {
  reference: string;
  on: keyof typeof TOOLS;
  /** The path of its page without the language prefix; omitted on that page itself. */
  path?: string | undefined;
  /** The current price and status, to show what has changed since the last visit. */
  now?: Offer | undefined;
}

/** The tools on a card, on a property page, or on a card on the map. */
export default function Tools({ on, ...home }: ToolsProps) {
  const ToolsVariant = TOOLS[on];
  return <ToolsVariant {...home} />;
}
