import { fieldsOf } from "#app/lib/api/answer.ts";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";
import { type PanelWords, panelGroup, panelWordsOf } from "./enquiry/panel-words.ts";
import { type Described, groupOf, type Notice, noticesOf, readNotices } from "./facts/notices.ts";

/** What the editors say beside and below a property. */
interface PropertyWords {
  readonly panel: PanelWords;
  readonly notices: readonly Notice[];
}

/** They stand among the figures, each as a group of its own, so that a page carries those it shows. */
export function wordsQuery(
  locale: Locale,
  property: Described & Pick<PropertyDetail, "status">,
): ApiQuery<PropertyWords> {
  const panel = panelGroup(property.status);
  // Nobody who reads of a home that is sold is about to buy it.
  const names = property.status === "sold" ? [] : noticesOf(property);
  const group = [panel, ...names.map(groupOf)];
  return apiQuery("/api/figures", { query: { locale, group } }, ({ figures }) => ({
    panel: panelWordsOf(fieldsOf(figures)[panel]),
    notices: readNotices(figures, names),
  }));
}
