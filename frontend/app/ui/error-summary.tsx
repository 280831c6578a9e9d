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

interface ErrorSummaryProps {
  errors: readonly FormError[];
  /** What they were made from, where they are made anew each time that the form is drawn. */
  of?: unknown;
}

/**
 * What has to be put right before a form can be sent, each a link to its field. It takes the focus with
 * every new answer: the browser gives it to one that comes with the page, the script to a later one.
 */
export function ErrorSummary({ errors, of = errors }: ErrorSummaryProps) {
  const t = useMessages(messages);
  const title = useId();
  const box = useRef<HTMLElement>(null);
  const isHydrated = useHydrated();
  // Who has gone on to a field of a page that has just come is not called back.
  const known = useRef(isHydrated ? undefined : of);
  useEffect(() => {
    if (known.current !== of) box.current?.focus();
    known.current = of;
  }, [of]);
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
