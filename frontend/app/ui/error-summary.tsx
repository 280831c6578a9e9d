import { useEffect, useId, useRef } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { defineMessages, plural, useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "./icon.tsx";

const messages = defineMessages({
  en: {
    problems: (count: number) =>
      plural(count, "One thing is not right yet", `${count} things are not right yet`),
  },
  es: {
    problems: (count) => plural(count, "Hay algo que corregir", `Hay ${count} cosas que corregir`),
  },
});

export interface FormError {
  /** The id of the field; none where it is the whole form's. */
  field?: string | undefined;
  message: string;
}

/**
 * What has to be put right before a form can be sent, each a link to its field. It takes the focus with
 * every new list: the browser gives it to one that comes with the page, the script to a later one.
 */
export function ErrorSummary({ errors }: { errors: readonly FormError[] }) {
  const t = useMessages(messages);
  const title = useId();
  const box = useRef<HTMLElement>(null);
  const alive = useHydrated();
  // Who has gone on to a field of a page that has just come is not called back.
  const known = useRef(alive ? undefined : errors);
  useEffect(() => {
    if (known.current !== errors) box.current?.focus();
    known.current = errors;
  }, [errors]);
  if (errors.length === 0) return null;
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noAutofocus: it says what became of what was sent
      autoFocus
      tabIndex={-1}
      aria-labelledby={title}
      className="error-summary"
    >
      <Icon name="alert" className="mt-0.5 size-5.5 text-clay" />
      <div>
        <h2 id={title} className="text-xl">
          {t.problems(errors.length)}
        </h2>
        <ul className="mt-1.5">
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {field ? (
                <a
                  href={`#${field}`}
                  // Not by the address: the router would forget what was wrong, and what was typed.
                  onClick={(event) => {
                    event.preventDefault();
                    document.getElementById(field)?.focus();
                  }}
                  className="text-link inline-block py-1"
                >
                  {message}
                </a>
              ) : (
                message
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
