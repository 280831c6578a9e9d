import { fieldsOf, textOf } from "#app/lib/api/answer.ts";
import type { ListingStatus } from "#app/lib/api/types.ts";

/** Above the ways to reach us, in the editors' words; empty where they have none. */
export interface PanelWords {
  readonly title: string;
  readonly text: string;
}

/** The group of the editors' figures that has them, by how far the sale has gone. */
export function panelGroup(status: ListingStatus): string {
  if (status === "for_sale") return "enquiry_panel_offered";
  return status === "sold" ? "enquiry_panel_sold" : "enquiry_panel_taken";
}

export function panelWordsOf(group: unknown): PanelWords {
  const { title, text } = fieldsOf(group);
  return { title: textOf(title), text: textOf(text) };
}
