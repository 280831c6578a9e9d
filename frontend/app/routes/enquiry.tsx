import { data, redirect, useSearchParams } from "react-router";
import { EnquiryPage } from "#app/features/enquiry/enquiry-page.tsx";
import { isKind, thanksPath } from "#app/lib/enquiry/enquiry.ts";
import { requestOf } from "#app/lib/enquiry/request.ts";
import { sendEnquiry } from "#app/lib/enquiry/send.server.ts";
import { withTimeErrors } from "#app/lib/enquiry/viewing-times.ts";
import { valuesOf } from "#app/lib/form/form-data.ts";
import { localeOf, localizedPath } from "#app/lib/i18n/locale.ts";
import { propertyQuery } from "#app/lib/property/queries.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { browserPage, type PageLoad } from "#app/lib/query/page.ts";
import { renderRecord } from "#app/lib/server/render-record.server.ts";
import { promisesQuery } from "#app/lib/site/promises.ts";
import { settingsOf, siteQuery } from "#app/lib/site/site-query.ts";
import type { Route } from "./+types/enquiry";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const load: PageLoad = async (read, { locale, url }) => {
  const reference = url.searchParams.get("ref");
  await Promise.all([
    read(promisesQuery(locale)),
    reference ? read(propertyQuery(locale, reference)) : undefined,
  ]);
};

export const loader = privatePage(load);
export const clientLoader = browserPage(load);

/** Handles forms sent without JavaScript; with it, the form is sent by script and its page stays open. */
export async function action({ request, context }: Route.ActionArgs) {
  const url = new URL(request.url);
  const form = await request.formData();
  const locale = localeOf(url.pathname);
  const result = await sendEnquiry(requestOf(form, url, locale), request);
  if ("reference" in result) {
    throw redirect(localizedPath(locale, thanksPath(result.reference)), 303);
  }
  const { client } = context.get(renderRecord);
  const { body } = await client.query({ ...siteQuery(locale), staleTime: "static" });
  const placed = withTimeErrors(result, form, settingsOf(body).openingHours, locale);
  // 200, because the door treats a 503 as a page that failed to render.
  const failures = { "too-many": 429, "too-large": 413, away: 200 };
  const status = "errors" in result ? 422 : failures[result.failure];
  return data({ ...placed, values: valuesOf(form) }, { status });
}

export default function Enquiry({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const kind = query.get("kind");
  const reference = query.get("ref") ?? undefined;
  return (
    <EnquiryPage
      key={`${kind} ${reference}`}
      kind={isKind(kind) ? kind : "general"}
      reference={reference}
      answer={actionData}
    />
  );
}
