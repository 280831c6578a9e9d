import { lazy, Suspense, type SyntheticEvent, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { searchMessages } from "../messages.ts";

/** Without its script the field is still one to type in and send. */
const TypeAhead = lazy(() => import("./type-ahead.tsx").catch(() => ({ default: () => null })));

interface SearchFieldProps {
  value?: string;
  labelClassName: string;
  inputClassName: string;
  className?: string;
}

/**
 * The field for words of a search form. What completes them comes with the first visit of the field,
 * and stands under the nearest positioned ancestor.
 */
export function SearchField({
  value,
  className,
  labelClassName,
  inputClassName,
}: SearchFieldProps) {
  const t = useMessages(searchMessages);
  const [input, setInput] = useState<HTMLInputElement>();
  const wake = (event: SyntheticEvent<HTMLInputElement>) => {
    // Words are sent when they are complete: a form that applies changes at once does not hear them.
    event.stopPropagation();
    setInput(event.currentTarget);
  };
  return (
    <>
      <label className={className}>
        <span className={labelClassName}>{t.words}</span>
        <input
          name="q"
          defaultValue={value}
          placeholder={t.wordsHint}
          maxLength={100}
          enterKeyHint="search"
          onFocus={wake}
          onChange={wake}
          className={inputClassName}
        />
      </label>
      {input ? (
        <Suspense>
          <TypeAhead input={input} />
        </Suspense>
      ) : null}
    </>
  );
}
