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
 * The text field of a search form. The script of its type-ahead is loaded when the field is first focused,
 * and shows its list below the nearest positioned ancestor. Without it, the field is a plain input. The
 * input element stays the same when the type-ahead arrives, so it keeps its text and a phone's keyboard
 * stays open: it only gets the attributes of a combobox.
 */
export function SearchField({
  value,
  className,
  labelClassName,
  inputClassName,
}: SearchFieldProps) {
  const t = useMessages(searchMessages);
  const [input, setInput] = useState<HTMLInputElement>();
  const [TypeAhead, setTypeAhead] = useState<ComponentType<TypeAheadProps>>();
  const [combobox, setCombobox] = useState<ComponentProps<"input">>();
  const loadTypeAhead = (event: SyntheticEvent<HTMLInputElement>) => {
    setInput(event.currentTarget);
    import("./type-ahead.tsx")
      .then((module) => setTypeAhead(() => module.default))
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
      {TypeAhead && input ? <TypeAhead input={input} onCombobox={setCombobox} /> : null}
    </>
  );
}
