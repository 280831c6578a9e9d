import { CardTools } from "./card-tools.tsx";
import { PageTools } from "./page-tools.tsx";

/** What stands on a card, or on the page of a home. */
export default function Tools({ reference, on }: { reference: string; on: "card" | "page" }) {
  return on === "card" ? <CardTools reference={reference} /> : <PageTools reference={reference} />;
}
