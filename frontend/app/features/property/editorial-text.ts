import { asRecord } from "#app/lib/api/answer.ts";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";
import { type PanelText, panelGroup, panelTextOf } from "./enquiry/panel-text.ts";
import {
  type Notice,
  type NoticeCriteria,
  noticeGroup,
  noticesOf,
  readNotices,
} from "./facts/notices.ts";

/** The editors' texts on a property page: the enquiry panel's, and the legal notices. */
interface PropertyTexts {
  readonly panel: PanelText;
  readonly notices: readonly Notice[];
}

/** Queries these texts. Each is a group of the API's figures, so that a page carries only those it shows. */
export function editorialTextQuery(
  locale: Locale,
  property: NoticeCriteria & Pick<PropertyDetail, "status">,
): ApiQuery<PropertyTexts> {
  const panel = panelGroup(property.status);
  // Nobody can buy a sold home any more, so it has no notices.
  const noticeNames = property.status === "sold" ? [] : noticesOf(property);
  const group = [panel, ...noticeNames.map(noticeGroup)];
  return apiQuery("/api/figures", { query: { locale, group } }, ({ figures }) => ({
    panel: panelTextOf(asRecord(figures)[panel]),
    notices: readNotices(figures, noticeNames),
  }));
}
