import { useId } from "react";
import type {
  Account,
  FormAnswer,
  ListedPasskey,
  ListedSession,
} from "#app/lib/account/account.ts";
import { deviceName } from "#app/lib/account/device-name.ts";
import { LENGTHS } from "#app/lib/account/lengths.gen.ts";
import { type Outcome, withOutcome } from "#app/lib/account/outcome.ts";
import { makePasskey } from "#app/lib/account/passkeys.ts";
import { AfterHydration } from "#app/lib/browser/after-hydration.tsx";
import { formatDate } from "#app/lib/format/date.ts";
import { LANGUAGE_NAME, LOCALES, localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { AlertNotice } from "#app/ui/alert-notice.tsx";
import { Button, buttonStyle } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { Link } from "#app/ui/link.tsx";
import { useFieldErrors } from "#app/ui/post-form.tsx";
import { Select } from "#app/ui/select.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { accountAreaMessages } from "./area-messages.ts";
import { AreaSeo } from "./area-seo.tsx";
import { DetailsForm, DetailsPart } from "./details-part.tsx";
import { Password } from "./password.tsx";

/** Lazy: only a script can tell whether the browser supports passkeys. */
const PasskeyButton = lazy(() => import("./passkey-button.tsx"));

const OTHER_ACCOUNT: Outcome = "other-account";

const LANGUAGES = LOCALES.map((value) => ({ value, label: LANGUAGE_NAME[value] }));

interface DetailsProps {
  account: Account;
  answer: FormAnswer | undefined;
  /** What was just changed, from the address. */
  outcome: string | null;
}

/** Shows the account's data, to change, export and delete. */
export function Details({ account, answer, outcome }: DetailsProps) {
  const t = useMessages(accountAreaMessages);
  const id = useId();
  const { intent, ...typed } = answer?.values ?? {};
  const you = intent === "save" ? typed : undefined;
  const details = useFieldErrors(answer, { name: t.longName });
  const deletion = useFieldErrors(answer, { email: t.deleteWrong });
  const outcomes: [Outcome, part: string, notice: string][] = [
    ["saved", "you", t.saved],
    ["device-signed-out", "devices", t.signedOut],
    ["passkey-made", "passkeys", t.passkeySaved],
    ["passkey-removed", "passkeys", t.passkeyRemoved],
    ["password-saved", "password", t.passwordSaved],
    ["password-removed", "password", t.passwordRemoved],
  ];
  const [, changedPart, notice] = outcomes.find(([each]) => each === outcome) ?? [];
  const noticeOf = (part: string) => (part === changedPart ? notice : undefined);
  const failure = outcome === OTHER_ACCOUNT ? t.other : answer?.failure && t.failed;
  return (
    <div className="grid max-w-2xl gap-12">
      <AreaSeo told={failure ?? notice} />
      <AlertNotice>{failure}</AlertNotice>
      <DetailsPart id="you" title={t.details} notice={noticeOf("you")}>
        <p className="mt-2 text-muted">{t.detailsLead}</p>
        <DetailsForm account={account.email} answer={answer} errors={details.errors}>
          <TextField
            id={`${id}-email`}
            label={t.email}
            hint={t.emailHint}
            type="email"
            value={account.email}
            readOnly
          />
          <TextField
            {...details.field("name")}
            label={t.name}
            autoComplete="name"
            maxLength={LENGTHS.name.max}
            defaultValue={you?.name ?? account.name ?? ""}
          />
          <Select
            id={`${id}-locale`}
            name="locale"
            label={t.language}
            defaultValue={you?.locale ?? account.locale}
            options={LANGUAGES}
          />
          <Checkbox
            name="marketingConsent"
            value="yes"
            label={t.marketing}
            // Otherwise a browser going back restores the old tick, out of step with `shownConsent` below.
            autoComplete="off"
            defaultChecked={you ? you.marketingConsent === "yes" : account.marketingConsent}
          />
          {/* The consent as first shown: the server changes it only if the visitor did. */}
          <input
            type="hidden"
            name="shownConsent"
            value={you?.shownConsent ?? (account.marketingConsent ? "yes" : "no")}
          />
          <p>
            <Button type="submit" name="intent" value="save">
              {t.save}
            </Button>
          </p>
        </DetailsForm>
      </DetailsPart>
      <Devices email={account.email} sessions={account.sessions} notice={noticeOf("devices")} />
      <Passkeys email={account.email} passkeys={account.passkeys} notice={noticeOf("passkeys")} />
      <Password
        email={account.email}
        has={account.hasPassword}
        answer={answer}
        notice={noticeOf("password")}
      />
      <section>
        <h2 className="text-xl">{t.data}</h2>
        <p className="mt-2 text-muted">{t.exportLead}</p>
        <p className="mt-4 flex flex-wrap gap-3">
          <Link to="/account/everything" className={buttonStyle.outline}>
            {t.read}
          </Link>
          <a href="/api/account/export" download className={buttonStyle.outline}>
            {t.download}
          </a>
        </p>
      </section>
      <section>
        <h2 className="text-xl">{t.deleteTitle}</h2>
        <p className="mt-2 text-muted">{t.deleteLead}</p>
        <DetailsForm account={account.email} answer={answer} errors={deletion.errors}>
          <TextField
            {...deletion.field("email")}
            type="email"
            label={t.deleteLabel}
            autoComplete="off"
            defaultValue={intent === "delete" ? typed.email : undefined}
          />
          <p>
            <Button type="submit" look="outline" name="intent" value="delete">
              {t.delete}
            </Button>
          </p>
        </DetailsForm>
      </section>
    </div>
  );
}

interface PasskeysProps {
  email: string;
  passkeys: readonly ListedPasskey[];
  notice: string | undefined;
}

/** Lists the account's passkeys, each with a button to remove it, and a button to add one. */
function Passkeys({ email, passkeys, notice }: PasskeysProps) {
  const locale = useLocale();
  const t = useMessages(accountAreaMessages);
  return (
    <DetailsPart id="passkeys" title={t.passkeys} notice={notice}>
      <p className="mt-2 text-muted">{t.passkeysLead}</p>
      <ul className="mt-4 grid gap-3">
        {passkeys.map((passkey) => {
          const name = deviceName(passkey.userAgent) ?? t.unknownDevice;
          return (
            <li key={passkey.id} className="account-row">
              <span>
                <strong>{name}</strong>
                <span className="block text-sm text-muted">
                  {t.passkeyMade(formatDate(locale, passkey.createdAt))}
                </span>
              </span>
              <DetailsForm account={email} className="">
                <input type="hidden" name="id" value={passkey.id} />
                <Button
                  type="submit"
                  look="outline"
                  name="intent"
                  value="remove-passkey"
                  aria-label={t.removePasskey(name)}
                >
                  {t.remove}
                </Button>
              </DetailsForm>
            </li>
          );
        })}
      </ul>
      <div className="mt-4 min-h-11">
        <AfterHydration>
          <PasskeyButton
            label={t.addPasskey}
            press={() => makePasskey(email)}
            next={localizedPath(locale, withOutcome("/account/details#passkeys", "passkey-made"))}
            other={localizedPath(locale, withOutcome("/account/details", OTHER_ACCOUNT))}
            words={{ known: t.passkeyKnown, failed: t.failed, away: t.failed }}
          />
        </AfterHydration>
      </div>
    </DetailsPart>
  );
}

interface DevicesProps {
  email: string;
  sessions: readonly ListedSession[];
  notice: string | undefined;
}

/** Lists the signed-in browsers, each with a button to sign it out. */
function Devices({ email, sessions, notice }: DevicesProps) {
  const locale = useLocale();
  const t = useMessages(accountAreaMessages);
  return (
    <DetailsPart id="devices" title={t.devices} notice={notice}>
      <ul className="mt-4 grid gap-3">
        {sessions.map((session) => {
          const name = deviceName(session.userAgent) ?? t.unknownDevice;
          return (
            <li key={session.id} className="account-row">
              <span>
                <strong>{name}</strong>
                {session.isCurrent ? ` (${t.thisDevice})` : null}
                <span className="block text-sm text-muted">
                  {t.seen(formatDate(locale, session.seenAt))}
                </span>
              </span>
              <DetailsForm account={email} className="">
                <input type="hidden" name="id" value={session.id} />
                <Button
                  type="submit"
                  look="outline"
                  name="intent"
                  value={session.isCurrent ? "sign-out" : "end"}
                  aria-label={t.end(name)}
                >
                  {t.signOut}
                </Button>
              </DetailsForm>
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 ? (
        <DetailsForm account={email}>
          <p>
            <Button type="submit" look="outline" name="intent" value="end-others">
              {t.endOthers}
            </Button>
          </p>
        </DetailsForm>
      ) : null}
    </DetailsPart>
  );
}
