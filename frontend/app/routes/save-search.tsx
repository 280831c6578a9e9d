import { useLocation, useSearchParams } from "react-router";
import { alertMessages } from "#app/features/alerts/messages.ts";
import { SaveSearchForm, useSaveFailure } from "#app/features/alerts/save-search-form.tsx";
import { searchWords } from "#app/features/search/search-words.ts";
import { formRefused, redirectOnward } from "#app/lib/account/account.server.ts";
import { isMarkedSignedIn } from "#app/lib/account/account.ts";
import { withNext } from "#app/lib/account/next-path.ts";
import { type Outcome, withOutcome } from "#app/lib/account/outcome.ts";
import { savedAddress, savedPath, saveSearchPath } from "#app/lib/account/saved-searches.ts";
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
import { buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/save-search";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export async function loader(from: Route.LoaderArgs) {
  await privatePage()(from);
  return { signedIn: isMarkedSignedIn(from.request.headers.get("cookie")) };
}

export function clientLoader() {
  return { signedIn: isMarkedSignedIn(document.cookie) };
}

/** Saves the search: to the account if the visitor is signed in, otherwise after confirmation by email. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const text = (name: string) => textIn(form, name);
  const url = new URL(request.url);
  const email = text("email");
  const search = {
    address: text("address"),
    name: text("name"),
    frequency: text("frequency"),
    locale: localeOf(url.pathname),
  };
  const call = (path: string, body: unknown) =>
    askWriteSide(request, path, { method: "POST", body });
  const isOwners = isMarkedSignedIn(request.headers.get("cookie")) && !email;
  const answer = isOwners
    ? await call("/api/account/searches", search)
    : await call("/api/alerts", { ...search, email });
  if (answer.status === 201) {
    return redirectOnward(request, withOutcome("/account/searches", "saved"), answer);
  }
  if (answer.status === 202) {
    const page = `/save-search?${new URLSearchParams(search.address)}`;
    return redirectOnward(request, withOutcome(page, "sent"), answer);
  }
  if (answer.status === 401) {
    // The session has ended elsewhere. After signing in, the visitor returns to the form with the same values.
    const back = new URLSearchParams(search.address);
    back.set("name", search.name);
    back.set("frequency", search.frequency);
    return redirectOnward(request, withNext("/login", `${url.pathname}?${back}`), answer);
  }
  return formRefused(answer, form);
}

export default function SaveSearch({ loaderData, actionData }: Route.ComponentProps) {
  const locale = useLocale();
  const t = useMessages(alertMessages);
  const { settings, locations } = useSite();
  const [query] = useSearchParams();
  const address = useLocation();
  const search = parseSearch(query);
  const failure = useSaveFailure(actionData);
  const isSent = query.get("outcome") === ("sent" satisfies Outcome);
  const title = isSent ? t.sentTitle : t.saveTitle;
  const lead = isSent ? t.sentLead : t.saveLead;
  return (
    <div className="page-width py-10 sm:py-14">
      <Seo
        title={titleWithOutcome(failure, title)}
        description={lead}
        suffix={settings.titleSuffix}
        path={saveSearchPath(search)}
        indexed={false}
      />
      <div className="max-w-2xl">
        <h1 className="text-title">{title}</h1>
        <p className="mt-3 text-lg text-muted">{lead}</p>
        {isSent ? (
          <Link to={savedPath(savedAddress(search))} className={`${buttonStyle.primary} mt-8`}>
            {t.onward}
          </Link>
        ) : (
          <SaveSearchForm
            address={savedAddress(search)}
            words={searchWords(search, locale, placeNameIn(locations))}
            signedIn={loaderData.signedIn}
            signInPath={withNext("/login", address.pathname + address.search)}
            typed={{ name: query.get("name"), frequency: query.get("frequency") }}
            answer={actionData}
          />
        )}
      </div>
    </div>
  );
}
