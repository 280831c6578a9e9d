import type { Offer } from "#app/lib/property/offer.ts";
import { CardTools } from "./card-tools.tsx";
import { Heart } from "./heart.tsx";
import { PageTools } from "./page-tools.tsx";

const TOOLS = { card: CardTools, page: PageTools, pin: Heart };

export interface ToolsProps {
  reference: string;
  on: keyof typeof TOOLS;
  /** Where its page is, without its language, unless that is open. */
  path?: string | undefined;
  /** What it is offered at now, where a change since the last visit is to be told. */
  now?: Offer | undefined;
}

/** What stands on a card, on the page of a home, or on its card on the map. */
export default function Tools({ on, ...home }: ToolsProps) {
  const ToolsThere = TOOLS[on];
  return <ToolsThere {...home} />;
}
