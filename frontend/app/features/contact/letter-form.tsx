import { type MouseEvent, useId, useRef } from "react";
import { whatsappHref } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { RequiredNote } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { TextArea, TextField } from "#app/ui/text-field.tsx";
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
    <Card as="section" aria-labelledby={id} className="p-6 sm:p-8 no-script:hidden">
      <h2 id={id} className="text-heading">
        {t.write}
      </h2>
      <p className="mt-3 text-muted">{t.writeText}</p>
      <form ref={form} onSubmit={(event) => event.preventDefault()} className="mt-6 grid gap-5">
        <RequiredNote />
        <TextField label={t.name} name="name" autoComplete="name" maxLength={100} required />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label={t.yourEmail} name="email" type="email" maxLength={200} />
          <TextField label={t.yourPhone} name="phone" type="tel" maxLength={30} />
        </div>
        <TextArea
          label={t.message}
          hint={t.messageHint}
          name="message"
          rows={6}
          minLength={SHORTEST_MESSAGE}
          maxLength={LONGEST_MESSAGE}
          required
        />
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
    </Card>
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
