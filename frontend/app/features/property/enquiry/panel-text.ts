import { asRecord, textOf } from "#app/lib/api/answer.ts";
import type { ListingStatus } from "#app/lib/api/types.ts";

/** The editors' text above the contact options; empty where they wrote none. */
export interface PanelText {
  readonly title: string;
  readonly text: string;
}

/** Returns the group of the editors' figures with that text, by the status of the sale. */
export function panelGroup(status: ListingStatus): string {
  if (status === "for_sale") return "enquiry_panel_offered";
  return status === "sold" ? "enquiry_panel_sold" : "enquiry_panel_taken";
}

export function panelTextOf(group: unknown): PanelText {
  const { title, text } = asRecord(group);
  return { title: textOf(title), text: textOf(text) };
}
