import { useSearchParams } from "react-router";
import { alertMessages } from "#app/features/alerts/messages.ts";
import { SavedSearches } from "#app/features/alerts/saved-searches.tsx";
import { formRefused, redirectOnward, UNKNOWN_INTENT } from "#app/lib/account/account.server.ts";
import type { Subscription } from "#app/lib/account/account.ts";
import { type Outcome, withOutcome } from "#app/lib/account/outcome.ts";
import { titleWithOutcome } from "#app/lib/account/title-with-outcome.ts";
import { intentIn } from "#app/lib/form/form-data.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { localeOf, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { privatePage } from "#app/lib/query/page.server.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { askWriteSide, type WriteSideAnswer } from "#app/lib/server/write-side.server.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { AlertNotice } from "#app/ui/alert-notice.tsx";
import { buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { PostForm, SubmitButton } from "#app/ui/post-form.tsx";
import type { Route } from "./+types/alerts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** Calls the API only from the server, so that the link's token stays out of API requests made by the page. */
export async function loader(from: Route.LoaderArgs) {
  await privatePage()(from);
  const { status, body } = await askWriteSide(from.request, "/api/alerts/subscription", {
    method: "POST",
    body: { token: from.url.searchParams.get("token") ?? "" },
  });
  return {
    subscription: status === 200 ? (body as Subscription) : undefined,
    isAway: status >= 500,
  };
}

/** What a button does, and what the page says afterwards. */
interface Intent {
  send: () => Promise<WriteSideAnswer>;
  outcome: Outcome;
}

/** Changes a frequency, renews a subscription that would expire, or ends all emails. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const url = new URL(request.url);
  const token = url.searchParams.get("token") ?? "";
  const call = (path: string, body?: unknown) =>
    askWriteSide(request, `/api/alerts${path}`, { method: "POST", body });
  const intents: Readonly<Record<string, Intent>> = {
    change: {
      send: () =>
        call("/change", {
          token,
          search: form.get("search"),
          change: { frequency: form.get("frequency") },
          locale: localeOf(url.pathname),
        }),
      outcome: "saved",
    },
    keep: { send: () => call("/keep", { token }), outcome: "kept" },
    end: { send: () => call(`/unsubscribe/${encodeURIComponent(token)}`), outcome: "stopped" },
  };
  const intent = intentIn(form, intents);
  const answer = intent ? await intent.send() : UNKNOWN_INTENT;
  if (!intent || answer.status !== 200) return formRefused(answer, form);
  const page = `/alerts?${new URLSearchParams({ token })}`;
  return redirectOnward(request, withOutcome(page, intent.outcome), answer);
}

/** The target of the link in every alert email: manages its recipient's alerts without signing in. */
export default function Alerts({ loaderData, actionData }: Route.ComponentProps) {
  const t = useMessages(alertMessages);
  const locale = useLocale();
  const { settings } = useSite();
  const [query] = useSearchParams();
  const { subscription, isAway } = loaderData;
  const failure = actionData && (actionData.failure === "over" ? t.ended : t.away);
  const isOver = !subscription && !isAway;
  const title = isOver ? t.overTitle : t.manageTitle;
  const outcome = (["kept", "stopped", "saved"] as const).find(
    (each) => each === query.get("outcome"),
  );
  const done = outcome && t[outcome];
  return (
    <>
      <Seo
        title={titleWithOutcome(failure ?? (isAway ? t.away : done), title)}
        description={title}
        suffix={settings.titleSuffix}
        path="/alerts"
        indexed={false}
      />
      <h1 className="text-heading">{title}</h1>
      <p className="mt-3 text-muted">
        {subscription ? t.manageLead(subscription.email) : isAway ? t.away : t.overLead}{" "}
        {done && !failure ? <strong role="status">{done}</strong> : null}
      </p>
      <AlertNotice className="mt-4">{failure}</AlertNotice>
      {isOver ? (
        <Link to="/property-for-sale" className={`${buttonStyle.primary} mt-7`}>
          {t.onward}
        </Link>
      ) : null}
      {subscription ? (
        <div className="mt-7 grid gap-7">
          {subscription.endsAt ? (
            <PostForm className="rounded-xl bg-sun-wash px-4 py-4">
              <p>{t.endsOn(formatDate(locale, subscription.endsAt))}</p>
              <SubmitButton name="intent" value="keep" className="mt-3">
                {t.keep}
              </SubmitButton>
            </PostForm>
          ) : null}
          <SavedSearches searches={subscription.searches} />
          <PostForm>
            <SubmitButton
              look={subscription.endsAt ? "outline" : "primary"}
              name="intent"
              value="end"
            >
              {t.endAll}
            </SubmitButton>
          </PostForm>
        </div>
      ) : null}
    </>
  );
}
