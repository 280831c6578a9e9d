import { useSearchParams } from "react-router";
import { alertMessages } from "#app/features/alerts/messages.ts";
import { searchWords } from "#app/features/search/search-words.ts";
import { formRefused, redirectOnward } from "#app/lib/account/account.server.ts";
import type { AskedSearch, SavedSearch } from "#app/lib/account/account.ts";
import { LENGTHS } from "#app/lib/account/lengths.gen.ts";
import { type Outcome, withOutcome } from "#app/lib/account/outcome.ts";
import { savedPath } from "#app/lib/account/saved-searches.ts";
import { titleWithOutcome } from "#app/lib/account/title-with-outcome.ts";
import { textIn } from "#app/lib/form/form-data.ts";
import { localeOf, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { parseSearch } from "#app/lib/search/search-params.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { askWriteSide } from "#app/lib/server/write-side.server.ts";
import { placeNameIn } from "#app/lib/site/places.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { AlertNotice } from "#app/ui/alert-notice.tsx";
import { buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { PostForm, SubmitButton } from "#app/ui/post-form.tsx";
import type { Route } from "./+types/alerts-confirm";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** Returns whether the page reports what was confirmed. */
const isConfirmed = (query: URLSearchParams) =>
  query.get("outcome") === ("confirmed" satisfies Outcome);

/** Calls the API only from the server, so that the link's token stays out of API requests made by the page. */
export async function loader(from: Route.LoaderArgs) {
  await privatePage()(from);
  if (isConfirmed(from.url.searchParams)) return { asked: undefined, isAway: false };
  const { status, body } = await askWriteSide(from.request, "/api/alerts/asked", {
    method: "POST",
    body: { token: from.url.searchParams.get("token") ?? "" },
  });
  return { asked: status === 200 ? (body as AskedSearch) : undefined, isAway: status >= 500 };
}

/** Confirms emails about a search. Opening the link alone changes nothing, because mail scanners open links too. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const answer = await askWriteSide(request, "/api/alerts/confirm", {
    method: "POST",
    body: {
      token: textIn(form, "token"),
      name: form.get("name") ?? undefined,
      frequency: form.get("frequency") ?? undefined,
      // The language in which the text of the consent was read.
      locale: localeOf(new URL(request.url).pathname),
    },
  });
  if (answer.status !== 200) return formRefused(answer, form);
  const { address } = answer.body as SavedSearch;
  const page = `/alerts/confirm?${new URLSearchParams({ search: address ?? "" })}`;
  return redirectOnward(request, withOutcome(page, "confirmed"), answer);
}

/**
 * The target of the link in a confirmation email: one click confirms. The email does not name the search, because
 * anybody could have chosen that name; this page describes the search in the site's own words instead.
 */
export default function AlertsConfirm({ loaderData, actionData }: Route.ComponentProps) {
  const t = useMessages(alertMessages);
  const locale = useLocale();
  const { settings, locations } = useSite();
  const [query] = useSearchParams();
  const { asked, isAway } = loaderData;
  const confirmed = isConfirmed(query) ? (query.get("search") ?? "") : null;
  const address = confirmed ?? asked?.address;
  const isOver = actionData?.failure === "over" || (address === undefined && !isAway);
  const failure = (actionData || isAway) && !isOver ? t.away : undefined;
  const words =
    address === undefined
      ? ""
      : searchWords(parseSearch(new URLSearchParams(address)), locale, placeNameIn(locations));
  const [title, lead] = isOver
    ? [t.overTitle, t.overLead]
    : confirmed === null
      ? [t.confirmTitle, t.confirmLead]
      : [t.confirmedTitle, t.confirmedLead];
  return (
    <>
      <Seo
        title={titleWithOutcome(failure, title)}
        description={lead}
        suffix={settings.titleSuffix}
        path="/alerts/confirm"
        indexed={false}
      />
      <h1 className="text-heading">{title}</h1>
      <p className="mt-3 text-muted">{lead}</p>
      {address === undefined || isOver ? null : (
        <p className="mt-5">
          <span className="block text-sm text-muted">{t.searched}</span>
          <strong>{words}</strong>
          {asked ? <span className="block">{t.every(asked.frequency)}</span> : null}
        </p>
      )}
      <AlertNotice className="mt-4">{failure}</AlertNotice>
      {asked && !isOver ? (
        <PostForm className="mt-7">
          <input type="hidden" name="token" value={query.get("token") ?? ""} />
          {/* Emails use this generated name, not one that the requester typed. */}
          <input type="hidden" name="name" value={words.slice(0, LENGTHS.searchName.max)} />
          {/* Confirms the frequency shown here: somebody may have requested another one since. */}
          <input type="hidden" name="frequency" value={asked.frequency} />
          <SubmitButton>{t.confirm}</SubmitButton>
        </PostForm>
      ) : null}
      {confirmed !== null || isOver ? (
        <Link to={savedPath(confirmed ?? "")} className={`${buttonStyle.primary} mt-7`}>
          {t.onward}
        </Link>
      ) : null}
    </>
  );
}
