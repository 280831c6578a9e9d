import { useSearchParams } from "react-router";
import { Thanks } from "#app/features/enquiry/thanks.tsx";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { promisesQuery } from "#app/lib/site/promises.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async (read, { locale }) => {
  // The enquiry has arrived, so the visitor is thanked even if the promised answer times can't be loaded.
  await read(promisesQuery(locale)).catch(() => undefined);
};

export const loader = privatePage(load);
export const clientLoader = browserPage(load);

const REFERENCE = /^E-[0-9A-HJKMNP-TV-Z]{6}$/;

/** The page after an enquiry: thanks, its reference, and what happens next. */
export default function EnquiryThanks() {
  const [query] = useSearchParams();
  const reference = query.get("reference") ?? "";
  return <Thanks reference={REFERENCE.test(reference) ? reference : undefined} />;
}
