import { type MouseEvent, useId, useRef } from "react";
import { whatsappHref } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { Icon } from "#app/ui/icon.tsx";
import { type Letter, LONGEST_MESSAGE, letterText, mailHref } from "./letter.ts";
import { contactMessages } from "./messages.ts";

const SHORTEST_MESSAGE = 10;

/**
 * A letter to write here and to send from one's own WhatsApp or mail programme: its ends are links,
 * and what was written goes into them. It needs a script, so without one it is not shown.
 */
export function LetterForm() {
  const locale = useLocale();
  const t = useMessages(contactMessages);
  const { settings } = useSite();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const [email] = settings.emails;

  const carry = (hrefOf: (text: string) => string) => (event: MouseEvent<HTMLAnchorElement>) => {
    const fields = form.current;
    if (!fields) return;
    if (!fields.reportValidity()) event.preventDefault();
    else event.currentTarget.href = hrefOf(letterText(read(fields), locale));
  };

  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface p-6 sm:p-8 no-script:hidden"
    >
      <h2 id={id} className="text-heading">
        {t.write}
      </h2>
      <p className="mt-3 text-muted">{t.writeText}</p>
      <form ref={form} onSubmit={(event) => event.preventDefault()} className="mt-6 grid gap-5">
        <Field label={t.name} name="name" autoComplete="name" maxLength={100} required />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label={t.yourEmail}
            note={t.optional}
            name="email"
            type="email"
            autoComplete="email"
            maxLength={200}
          />
          <Field
            label={t.yourPhone}
            note={t.optional}
            name="phone"
            type="tel"
            autoComplete="tel"
            maxLength={30}
          />
        </div>
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-message`} className="font-medium">
            {t.message}
          </label>
          <p id={`${id}-hint`} className="text-sm text-muted">
            {t.messageHint}
          </p>
          <textarea
            id={`${id}-message`}
            aria-describedby={`${id}-hint`}
            name="message"
            rows={6}
            minLength={SHORTEST_MESSAGE}
            maxLength={LONGEST_MESSAGE}
            required
            className="field"
          />
        </div>
        <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap">
          {settings.whatsapp ? (
            <a
              href={whatsappHref(settings.whatsapp)}
              onClick={carry((text) => whatsappHref(settings.whatsapp ?? "", text))}
              className={buttonStyle.primary}
            >
              <Icon name="whatsapp" />
              {t.byWhatsapp}
            </a>
          ) : null}
          {email ? (
            <a
              href={`mailto:${email}`}
              onClick={carry((text) => mailHref(email, t.subject, text))}
              className={buttonStyle.outline}
            >
              <Icon name="mail" />
              {t.byEmail}
            </a>
          ) : null}
        </div>
      </form>
    </section>
  );
}

interface FieldProps extends React.ComponentProps<"input"> {
  label: string;
  note?: string;
}

function Field({ label, note, ...rest }: FieldProps) {
  return (
    <label className="grid gap-1.5">
      <span className="font-medium">
        {label}
        {note ? <span className="font-normal text-muted"> ({note})</span> : null}
      </span>
      <input className="field min-h-11" {...rest} />
    </label>
  );
}

function read(form: HTMLFormElement): Letter {
  const values = new FormData(form);
  const text = (name: keyof Letter) => String(values.get(name) ?? "").trim();
  return {
    name: text("name"),
    email: text("email"),
    phone: text("phone"),
    message: text("message"),
  };
}
