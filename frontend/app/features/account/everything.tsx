import type { ReactNode } from "react";
import type { Export, MyHome, SentEnquiry } from "#app/lib/account/account.ts";
import { deviceName } from "#app/lib/account/device-name.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import { LANGUAGE_NAME, useLocale } from "#app/lib/i18n/locale.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { kindNames } from "#app/lib/vocabulary/names.gen.ts";
import { accountAreaMessages } from "./area-messages.ts";
import { MyEnquiries } from "./my-enquiries.tsx";

const messages = defineMessages({
  en: {
    title: "Everything we keep about you",
    lead: (day: string) =>
      `As it stood on ${day}. You can print this page; a file for other programs is under “Your details”.`,
    since: "Account since",
    none: "Nothing.",
    given: (day: string, words: string) => `agreed on ${day}, to the wording of ${words}`,
    withdrawn: (day: string) => `ended on ${day}`,
    purpose: (purpose: string) =>
      purpose === "marketing" ? "News and offers" : "Emails about a search",
    asked: (page: string, from: string) => `on ${page}, from the IP address ${from}`,
    askedOn: (day: string) => `asked for on ${day}`,
    priceThen: (price: string) => `${price} at the time`,
    sentFrom: (page: string) => `sent from ${page}`,
    privacy: (words: string) => `with the privacy wording of ${words}`,
    suspect: (why: string) => `may have been sent by a bot (${why})`,
    mails: "Emails to you, and what we passed on",
    mail: (kind: string) =>
      ({
        office_mail: "your enquiry, to our office",
        content_item: "your enquiry, to our office’s list",
        visitor_mail: "thanks for your enquiry",
        sign_in_mail: "a sign-in link",
        confirm_mail: "asking if you want emails",
        alert_mail: "news about homes",
        renewal_mail: "asking if you still want emails",
      })[kind] ?? kind,
    sent: (state: string) =>
      ({
        done: "sent",
        due: "waiting",
        failed: "not sent",
        refused: "refused",
        bounced: "came back",
      })[state] ?? state,
    alerts: "What we told you about homes",
    happened: (happened: string) =>
      ({
        new: "new for you",
        reduced: "price reduced",
        raised: "price increased",
        back: "for sale again",
        status: "status changed",
        withdrawn: "no longer on our site",
      })[happened] ?? happened,
    marks: "Browsers that you have signed in with",
    signIns: "Sign-in emails requested recently",
    waiting: "Saved searches you have not confirmed",
    subscribed: "Emails about homes since",
    consents: "What you agreed to",
    homes: "Homes",
    favourite: "favourite",
    compared: "compared",
    hidden: "hidden",
    seen: (day: string) => `seen on ${day}`,
  },
  es: {
    title: "Todo lo que guardamos de usted",
    lead: (day) =>
      `A fecha de ${day}. Puede imprimir esta página; el archivo para programas está en «Sus datos».`,
    since: "Cuenta desde",
    none: "Nada.",
    given: (day, words) => `aceptado el ${day}, con el texto de ${words}`,
    withdrawn: (day) => `terminado el ${day}`,
    purpose: (purpose) =>
      purpose === "marketing" ? "Novedades y ofertas" : "Avisos de una búsqueda",
    asked: (page, from) => `en ${page}, desde la dirección IP ${from}`,
    askedOn: (day) => `pedido el ${day}`,
    priceThen: (price) => `${price} en aquel momento`,
    sentFrom: (page) => `enviada desde ${page}`,
    privacy: (words) => `con el texto sobre privacidad de ${words}`,
    suspect: (why) => `puede haberla enviado un programa (${why})`,
    mails: "Correos para usted y lo que pasamos a la oficina",
    mail: (kind) =>
      ({
        office_mail: "su consulta, a nuestra oficina",
        content_item: "su consulta, a la lista de nuestra oficina",
        visitor_mail: "gracias por su consulta",
        sign_in_mail: "un enlace para entrar",
        confirm_mail: "la pregunta de si quiere avisos",
        alert_mail: "novedades de viviendas",
        renewal_mail: "la pregunta de si sigue queriendo avisos",
      })[kind] ?? kind,
    sent: (state) =>
      ({
        done: "enviado",
        due: "pendiente",
        failed: "no enviado",
        refused: "rechazado",
        bounced: "devuelto",
      })[state] ?? state,
    alerts: "De qué viviendas le avisamos",
    happened: (happened) =>
      ({
        new: "nuevo para usted",
        reduced: "cuesta menos",
        raised: "cuesta más",
        back: "de nuevo en venta",
        status: "cambio de estado",
        withdrawn: "ya no está en nuestra web",
      })[happened] ?? happened,
    marks: "Navegadores con los que entró alguna vez",
    signIns: "Correos para entrar pedidos hace poco",
    waiting: "Búsquedas guardadas que no ha confirmado",
    subscribed: "Avisos de viviendas desde",
    consents: "Lo que ha aceptado",
    homes: "Viviendas",
    favourite: "favorita",
    compared: "comparada",
    hidden: "oculta",
    seen: (day) => `vista el ${day}`,
  },
});

const LANGUAGES: Readonly<Record<string, string>> = LANGUAGE_NAME;

/** Shows the contents of the account's export file as one readable page. */
export function Everything({ everything }: { everything: Export }) {
  const locale = useLocale();
  const t = useMessages(messages);
  const area = useMessages(accountAreaMessages);
  const marksOf = useHomeMarks();
  const { account, consents, homes, exportedAt } = everything;
  const { alerts, askedSearches, devices, mails, signIns, subscriptions } = everything;
  const day = (moment: string) => formatDate(locale, moment);
  const yes = account.marketingConsent ? area.yes : area.no;
  return (
    <div className="grid max-w-3xl gap-10">
      <header>
        <h2 className="text-heading">{t.title}</h2>
        <p className="mt-3 text-muted">{t.lead(day(exportedAt))}</p>
      </header>
      <FactsSection
        title={area.details}
        facts={[
          [area.email, account.email],
          [area.name, account.name ?? "–"],
          [area.language, LANGUAGES[account.locale] ?? account.locale],
          [area.marketing, yes],
          [t.since, day(account.createdAt)],
          ...subscriptions.map(({ at }) => [t.subscribed, day(at)] as const),
        ]}
      />
      <ListSection title={t.consents} none={t.none}>
        {consents.map(
          ({ purpose, textVersion, page, askedFrom, askedAt, givenAt, withdrawnAt }) => (
            <li key={givenAt}>
              {[
                t.purpose(purpose),
                askedAt ? t.askedOn(day(askedAt)) : "",
                t.given(day(givenAt), textVersion),
                page && askedFrom ? t.asked(page, askedFrom) : "",
                withdrawnAt ? t.withdrawn(day(withdrawnAt)) : "",
              ]
                .filter(Boolean)
                .join(", ")}
            </li>
          ),
        )}
      </ListSection>
      <ListSection title={t.homes} none={t.none}>
        {homes.map((home) => (
          <li key={home.reference}>
            <strong>{home.reference}</strong> {marksOf(home)}
            {home.note ? <q className="mt-1 block whitespace-pre-line">{home.note}</q> : null}
          </li>
        ))}
      </ListSection>
      <ListSection title={area.searches} none={t.none}>
        {account.searches.map(({ id, name, frequency }) => (
          <li key={id}>
            {name} ({area.frequency(frequency)})
          </li>
        ))}
      </ListSection>
      <ListSection title={area.devices} none={t.none}>
        {account.sessions.map(({ id, userAgent, seenAt }) => (
          <li key={id}>
            {deviceName(userAgent) ?? area.unknownDevice}, {area.seen(day(seenAt))}
          </li>
        ))}
      </ListSection>
      <ListSection title={area.passkeys} none={t.none}>
        {account.passkeys.map(({ id, userAgent, createdAt }) => (
          <li key={id}>
            {deviceName(userAgent) ?? area.unknownDevice}, {area.passkeyMade(day(createdAt))}
          </li>
        ))}
      </ListSection>
      <ListSection title={t.marks} none={t.none}>
        {devices.map(({ at }) => (
          <li key={at}>{day(at)}</li>
        ))}
      </ListSection>
      <ListSection title={t.signIns} none={t.none}>
        {signIns.map(({ createdAt }) => (
          <li key={createdAt}>{day(createdAt)}</li>
        ))}
      </ListSection>
      <ListSection title={t.waiting} none={t.none}>
        {askedSearches.map(({ name, page, askedFrom, createdAt }) => (
          <li key={createdAt}>
            <strong>{name}</strong>, {day(createdAt)}
            {page && askedFrom ? `, ${t.asked(page, askedFrom)}` : null}
          </li>
        ))}
      </ListSection>
      <ListSection title={t.alerts} none={t.none}>
        {alerts.map(({ reference, happened, search, createdAt }) => (
          <li key={`${search} ${reference} ${createdAt}`}>
            <strong>{reference}</strong> {t.happened(happened)} ({search}), {day(createdAt)}
          </li>
        ))}
      </ListSection>
      <ListSection title={t.mails} none={t.none}>
        {mails.map(({ kind, state, at }) => (
          <li key={`${kind} ${at}`}>
            {t.mail(kind)}: {t.sent(state)}, {day(at)}
          </li>
        ))}
      </ListSection>
      <section>
        <h3 className="mb-3 text-xl">{area.enquiries}</h3>
        {account.enquiries.length > 0 ? (
          <MyEnquiries
            enquiries={account.enquiries}
            renderDetails={(enquiry) => <EnquiryDetails enquiry={enquiry} />}
          />
        ) : (
          t.none
        )}
      </section>
    </div>
  );
}

/** Lists the data stored with an enquiry besides its message. */
function EnquiryDetails({ enquiry }: { enquiry: SentEnquiry }) {
  const locale = useLocale();
  const t = useMessages(messages);
  const kinds: Readonly<Record<string, string>> = useMessages(kindNames);
  const { name, email, phone, mobile, homePrice, propertyKind, builtArea } = enquiry;
  const { page, privacyVersion, suspect } = enquiry;
  const details = [
    name,
    email,
    phone,
    mobile,
    LANGUAGES[enquiry.locale] ?? enquiry.locale,
    homePrice == null ? "" : t.priceThen(formatPrice(locale, homePrice)),
    propertyKind ? (kinds[propertyKind] ?? propertyKind) : "",
    builtArea == null ? "" : formatArea(locale, builtArea),
    page ? t.sentFrom(page) : "",
    privacyVersion ? t.privacy(privacyVersion) : "",
    suspect ? t.suspect(suspect) : "",
  ];
  return (
    <p className="mt-3 text-sm text-muted wrap-anywhere">{details.filter(Boolean).join(", ")}</p>
  );
}

/** Returns a function that describes how the visitor marked a home, for example "favourite, seen on …". */
function useHomeMarks(): (home: MyHome) => string {
  const locale = useLocale();
  const t = useMessages(messages);
  return ({ favourite, compared, hidden, seenAt }) =>
    [
      favourite ? t.favourite : "",
      compared ? t.compared : "",
      hidden ? t.hidden : "",
      seenAt ? t.seen(formatDate(locale, seenAt)) : "",
    ]
      .filter(Boolean)
      .join(", ");
}

interface FactsSectionProps {
  title: string;
  facts: readonly (readonly [string, string])[];
}

function FactsSection({ title, facts }: FactsSectionProps) {
  return (
    <section>
      <h3 className="mb-3 text-xl">{title}</h3>
      <dl className="grid gap-3">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ListSectionProps {
  title: string;
  none: string;
  children: readonly ReactNode[];
}

function ListSection({ title, none, children }: ListSectionProps) {
  return (
    <section>
      <h3 className="mb-3 text-xl">{title}</h3>
      {children.length > 0 ? <ul className="grid gap-2">{children}</ul> : <p>{none}</p>}
    </section>
  );
}
