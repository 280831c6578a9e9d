import { KEPT } from "#app/lib/account/kept.gen.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { defineMessages, plural, useMessages } from "#app/lib/i18n/messages.ts";
import { Link } from "#app/ui/link.tsx";
import { Table } from "#app/ui/table.tsx";

const messages = defineMessages({
  en: {
    title: "What this site keeps about you",
    lead: "This is the same list that our programs use to erase data.",
    what: "What",
    why: "Why",
    howLong: "For how long",
    untilDeleted: "Until you delete it",
    days: (days: number) => plural(days, "One day", `${days} days`),
    months: (months: number) => `${months} months`,
    toAccount: "See, download or delete what is kept in your account",
  },
  es: {
    title: "Qué guarda de usted esta web",
    lead: "Esta lista es la misma por la que nuestros programas borran.",
    what: "Qué",
    why: "Por qué",
    howLong: "Cuánto tiempo",
    untilDeleted: "Hasta que usted lo borre",
    days: (days) => plural(days, "Un día", `${days} días`),
    months: (months) => `${months} meses`,
    toAccount: "Vea, llévese o borre lo que se guarda en su cuenta",
  },
});

const DAYS_PER_YEAR = 365;

/** A table of the data stored about visitors, why and for how long. */
export default function KeptData() {
  const locale = useLocale();
  const t = useMessages(messages);
  const howLong = (days: number) =>
    days % DAYS_PER_YEAR === 0 ? t.months((days / DAYS_PER_YEAR) * 12) : t.days(days);
  return (
    <section className="mt-14">
      <h2 id="kept" className="text-heading">
        {t.title}
      </h2>
      <p className="mt-3 text-muted">{t.lead}</p>
      <Table caption={t.title} captionHidden className="mt-6">
        <thead>
          <tr>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.why}</th>
            <th scope="col">{t.howLong}</th>
          </tr>
        </thead>
        <tbody>
          {KEPT.map((kept) => (
            <tr key={kept.key}>
              <th scope="row" className="min-w-40 font-normal whitespace-normal">
                {kept.what[locale]}
              </th>
              <td className="min-w-40 whitespace-normal">{kept.why[locale]}</td>
              <td>{"days" in kept ? howLong(kept.days) : t.untilDeleted}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="mt-6">
        <Link to="/account/details" className="text-link">
          {t.toAccount}
        </Link>
      </p>
    </section>
  );
}
