import type { QueryClient } from "@tanstack/react-query";
import { data, redirect, useSearchParams } from "react-router";
import { EnquiryPage } from "#app/features/enquiry/enquiry-page.tsx";
import { type EnquiryAnswer, type EnquiryResult, isKind } from "#app/lib/enquiry/enquiry.ts";
import { chosenPictures, sendPictures } from "#app/lib/enquiry/pictures.ts";
import { requestOf, thanksPath } from "#app/lib/enquiry/request.ts";
import { sendEnquiry as sendFromServer } from "#app/lib/enquiry/send.server.ts";
import { sendEnquiry } from "#app/lib/enquiry/send.ts";
import { timeErrors } from "#app/lib/enquiry/viewing-times.ts";
import { type Locale, localeOf, localizedPath } from "#app/lib/i18n/locale.ts";
import { propertyQuery } from "#app/lib/property/queries.ts";
import { browserQueryClient } from "#app/lib/query/client.ts";
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

/** For browsers that run no script. */
export async function action({ request, context }: Route.ActionArgs) {
  const url = new URL(request.url);
  const form = await request.formData();
  const locale = localeOf(url.pathname);
  const result = await sendFromServer(requestOf(form, url, locale), request);
  const placed = await timesPlaced(result, form, locale, context.get(renderRecord).client);
  const values = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  return answerTo(placed, url, values);
}

/** The same from the browser itself, which stays on its page where something is wrong. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const url = new URL(request.url);
  const form = await request.formData();
  const locale = localeOf(url.pathname);
  const pictures = await sendPictures(chosenPictures(form), locale);
  if (!("ids" in pictures)) return pictures;
  const enquiry = { ...requestOf(form, url, locale), pictures: pictures.ids };
  const result = await sendEnquiry(enquiry, String(form.get("key") ?? ""));
  return answerTo(await timesPlaced(result, form, locale, browserQueryClient()), url);
}

/** That a time can't be taken the service says, and not which: the hours that pages show tell it. */
async function timesPlaced(
  result: EnquiryResult,
  form: FormData,
  locale: Locale,
  client: QueryClient,
): Promise<EnquiryResult> {
  if (!("errors" in result && result.errors.some(({ field }) => field === "times"))) return result;
  const { body } = await client.query({ ...siteQuery(locale), staleTime: "static" });
  const placed = timeErrors(form, settingsOf(body).openingHours, locale, new Date());
  if (placed.length === 0) return result;
  return {
    errors: result.errors.flatMap((error) => (error.field === "times" ? placed : error)),
  };
}

function answerTo(result: EnquiryResult, url: URL, values?: Record<string, string>) {
  if ("reference" in result) {
    throw redirect(localizedPath(localeOf(url.pathname), thanksPath(result.reference)), 303);
  }
  const answer: EnquiryAnswer = { ...result, ...(values && { values }) };
  const failures = { "too-many": 429, "too-large": 413, away: 503 };
  const status = "errors" in result ? 422 : failures[result.failure];
  // The browser is told by the page itself; a status would be taken for a failure of the page.
  return values ? data(answer, { status: status === 503 ? 200 : status }) : answer;
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
      answer={actionData as EnquiryAnswer | undefined}
    />
  );
}
