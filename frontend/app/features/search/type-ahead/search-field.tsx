import { type ComponentType, type SyntheticEvent, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { searchMessages } from "../messages.ts";

interface SearchFieldProps {
  value?: string;
  className: string;
  labelClassName: string;
  inputClassName: string;
}

/**
 * The field for words of a search form. What completes them comes with the first visit of the field,
 * and stands under the nearest positioned ancestor; without it the field is one to type in and send.
 */
export function SearchField({
  value,
  className,
  labelClassName,
  inputClassName,
}: SearchFieldProps) {
  const t = useMessages(searchMessages);
  const [input, setInput] = useState<HTMLInputElement>();
  const [TypeAhead, complete] = useState<ComponentType<{ input: HTMLInputElement }>>();
  const wake = (event: SyntheticEvent<HTMLInputElement>) => {
    // Words are sent when they are complete: a form that applies changes at once does not hear them.
    event.stopPropagation();
    setInput(event.currentTarget);
    import("./type-ahead.tsx").then(
      (module) => complete(() => module.default),
      () => undefined,
    );
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
      {TypeAhead && input ? <TypeAhead input={input} /> : null}
    </>
  );
}
