import { CardTools } from "./card-tools.tsx";
import { Heart } from "./heart.tsx";
import { PageTools } from "./page-tools.tsx";

const TOOLS = { card: CardTools, page: PageTools, pin: Heart };

export interface ToolsProps {
  reference: string;
  on: keyof typeof TOOLS;
}

/** What stands on a card, on the page of a home, or on its card on the map. */
export default function Tools({ reference, on }: ToolsProps) {
  const ToolsThere = TOOLS[on];
  return <ToolsThere reference={reference} />;
}
