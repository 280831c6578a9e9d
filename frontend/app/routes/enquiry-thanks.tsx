import { useSearchParams } from "react-router";
import { Thanks } from "#app/features/enquiry/thanks.tsx";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { promisesQuery } from "#app/lib/site/promises.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async (read, { locale }) => {
  // What has arrived is thanked for, whatever else can't be had.
  await read(promisesQuery(locale)).catch(() => undefined);
};

export const loader = privatePage(load);
export const clientLoader = browserPage(load);

const REFERENCE = /^E-[0-9A-HJKMNP-TV-Z]{6}$/;

/** What happens next. */
export default function EnquiryThanks() {
  const [query] = useSearchParams();
  const reference = query.get("reference") ?? "";
  return <Thanks reference={REFERENCE.test(reference) ? reference : undefined} />;
}
