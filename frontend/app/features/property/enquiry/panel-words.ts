import type { ListingStatus } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** Above the ways to reach us, in the editors' words; empty where they have none. */
export interface PanelWords {
  title: string;
  text: string;
}

/** How far a sale has gone, as far as the panel speaks of it. */
type Stage = "offered" | "taken" | "sold";

const GROUP = "enquiry_panel";

/** They stand among the figures, so that only the pages that show them carry them. */
export function panelWordsQuery(locale: Locale): ApiQuery<Record<Stage, PanelWords>> {
  return apiQuery("/api/figures", { query: { locale, group: [GROUP] } }, ({ figures }) =>
    panelWordsOf(figures),
  );
}

export function panelWordsOf(figures: unknown): Record<Stage, PanelWords> {
  const group = fieldsOf(fieldsOf(figures)[GROUP]);
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const words = (stage: Stage) => {
    const { title, text: below } = fieldsOf(group[stage]);
    return { title: text(title), text: text(below) };
  };
  return { offered: words("offered"), taken: words("taken"), sold: words("sold") };
}

/** Which of them are about a home. */
export function stageOf(status: ListingStatus): Stage {
  if (status === "for_sale") return "offered";
  return status === "sold" ? "sold" : "taken";
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
