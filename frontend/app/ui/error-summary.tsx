import { useEffect, useId, useRef } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { defineMessages, plural, useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "./icon.tsx";

const messages = defineMessages({
  en: {
    problems: (count: number) =>
      plural(count, "One thing needs correcting", `${count} things need correcting`),
  },
  es: {
    problems: (count) => plural(count, "Hay algo que corregir", `Hay ${count} cosas que corregir`),
  },
});

export interface FormError {
  /** The id of the field; undefined for an error of the whole form. */
  field?: string | undefined;
  message: string;
}

interface ErrorSummaryProps {
  errors: readonly FormError[];
  /** The object that `errors` was derived from. Pass it if `errors` is a new array on every render. */
  of?: unknown;
}

/**
 * Lists what has to be corrected before a form can be sent; each error links to its field. It takes the focus
 * with every new response: the browser focuses a summary that was rendered with the page, the script a
 * later one.
 */
export function ErrorSummary({ errors, of = errors }: ErrorSummaryProps) {
  const t = useMessages(messages);
  const title = useId();
  const box = useRef<HTMLElement>(null);
  const isHydrated = useHydrated();
  // A summary rendered by the server is not focused again: the visitor may already be in a field.
  const focusedFor = useRef(isHydrated ? undefined : of);
  useEffect(() => {
    if (focusedFor.current !== of) box.current?.focus();
    focusedFor.current = of;
  }, [of]);
  if (errors.length === 0) return null;
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noAutofocus: it reports the result of the submission
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
                  // Without navigation: the router would lose the errors and what was typed.
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
