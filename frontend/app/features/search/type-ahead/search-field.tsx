import { type ComponentProps, type ComponentType, type SyntheticEvent, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { searchMessages } from "../messages.ts";
import type { TypeAheadProps } from "./type-ahead.tsx";

interface SearchFieldProps {
  value?: string;
  className: string;
  labelClassName: string;
  inputClassName: string;
}

/**
 * The field for words of a search form. What completes them comes with the first visit of the field,
 * and stands under the nearest positioned ancestor; without it the field is one to type in and send.
 * The field stays the same then, with what is typed in it and a telephone's keyboard under it: it only
 * gets the attributes of a combobox.
 */
export function SearchField({
  value,
  className,
  labelClassName,
  inputClassName,
}: SearchFieldProps) {
  const t = useMessages(searchMessages);
  const [input, setInput] = useState<HTMLInputElement>();
  const [TypeAhead, complete] = useState<ComponentType<TypeAheadProps>>();
  const [combobox, becomeCombobox] = useState<ComponentProps<"input">>();
  const loadTypeAhead = (event: SyntheticEvent<HTMLInputElement>) => {
    setInput(event.currentTarget);
    import("./type-ahead.tsx")
      .then((module) => complete(() => module.default))
      .catch(() => undefined);
  };
  return (
    <>
      <label className={className}>
        <span className={labelClassName}>{t.words}</span>
        <input
          onFocus={loadTypeAhead}
          onChange={loadTypeAhead}
          {...combobox}
          name="q"
          defaultValue={value}
          placeholder={t.wordsHint}
          maxLength={100}
          enterKeyHint="search"
          className={inputClassName}
        />
      </label>
      {TypeAhead && input ? <TypeAhead input={input} onCombobox={becomeCombobox} /> : null}
    </>
  );
}
