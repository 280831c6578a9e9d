import { useSearchParams } from "react-router";
import { accountAreaMessages } from "#app/features/account/area-messages.ts";
import { AreaSeo } from "#app/features/account/area-seo.tsx";
import { alertMessages } from "#app/features/alerts/messages.ts";
import { FrequencyForm, SavedSearches } from "#app/features/alerts/saved-searches.tsx";
import {
  accountPage,
  formRefused,
  readAccountForm,
  readAccount as readFromServer,
  redirectOnward,
  UNKNOWN_INTENT,
} from "#app/lib/account/account.server.ts";
import { browserAccountPage, readAccount } from "#app/lib/account/account.ts";
import { type Outcome, withOutcome } from "#app/lib/account/outcome.ts";
import { intentIn, textIn } from "#app/lib/form/form-data.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { askWriteSide } from "#app/lib/server/write-side.server.ts";
import { AlertNotice } from "#app/ui/alert-notice.tsx";
import { buttonStyle } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/account-searches";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

export const loader = accountPage(readFromServer);
export const clientLoader = browserAccountPage(readAccount);

const OTHER_ACCOUNT: Outcome = "other-account";
const SAVED: Outcome = "saved";

/** Changes how often emails about a search or the favourites are sent, or deletes a search. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readAccountForm(request);
  const search = encodeURIComponent(textIn(form, "search"));
  const frequency = form.get("frequency");
  const call = (path: string, method: string, body?: unknown) =>
    askWriteSide(request, `/api/account${path}`, { method, body });
  const send = intentIn(form, {
    change: () =>
      search === ""
        ? call("", "PATCH", { favouriteAlerts: frequency })
        : call(`/searches/${search}`, "PATCH", { frequency }),
    delete: () => call(`/searches/${search}`, "DELETE"),
  });
  const answer = send ? await send() : UNKNOWN_INTENT;
  const isGone = answer.status === 404;
  if (answer.status >= 300 && !isGone) return formRefused(answer, form);
  // A search that another tab has deleted can't be changed: the reloaded page lacks it, and must not say "saved".
  const isSaved = !isGone || textIn(form, "intent") === "delete";
  const page = "/account/searches";
  return redirectOnward(request, isSaved ? withOutcome(page, "saved") : page, answer);
}

/** Lists the account's saved searches and how often emails about them and the favourites are sent. */
export default function AccountSearches({ loaderData, actionData }: Route.ComponentProps) {
  const t = useMessages(alertMessages);
  const [query] = useSearchParams();
  const area = useMessages(accountAreaMessages);
  const outcome = query.get("outcome");
  const failure = actionData ? t.away : outcome === OTHER_ACCOUNT ? area.other : undefined;
  const saved = outcome === SAVED && !failure ? t.saved : undefined;
  const searches = loaderData.searches.filter(({ address }) => address != null);
  const favourites = loaderData.searches.find(({ address }) => address == null);
  return (
    <div className="grid max-w-2xl gap-12">
      <AreaSeo told={failure ?? saved} />
      <AlertNotice>{failure}</AlertNotice>
      {saved ? (
        <p role="status" className="notice">
          {saved}
        </p>
      ) : null}
      <section>
        <h2 className="text-xl">{t.searches}</h2>
        {searches.length === 0 ? (
          <div className="mt-4">
            <EmptyState title={t.none}>
              <p className="mt-2 max-w-[48ch] text-muted">{t.noneLead}</p>
              <Link to="/property-for-sale" className={`${buttonStyle.primary} mt-6`}>
                {t.search}
              </Link>
            </EmptyState>
          </div>
        ) : (
          <>
            <p className="mt-2 mb-4 text-muted">{t.searchesLead}</p>
            <SavedSearches account={loaderData.email} searches={searches} />
          </>
        )}
      </section>
      <section>
        <h2 className="text-xl">{t.favourites}</h2>
        <p className="mt-2 text-muted">{t.favouritesLead}</p>
        <FrequencyForm
          account={loaderData.email}
          name={t.favourites}
          frequency={favourites?.frequency ?? "never"}
        />
      </section>
    </div>
  );
}
