import { lazy, type ReactNode, Suspense, type SyntheticEvent, useState } from "react";

/** Without its script the field is still one to type in and send. */
const TypeAhead = lazy(() => import("./type-ahead.tsx").catch(() => ({ default: () => null })));

interface SearchFieldProps {
  hint: string;
  value?: string;
  className?: string;
  inputClassName: string;
  /** What the field is called. */
  children: ReactNode;
}

/**
 * The field for words of a search form. What completes them comes with the first visit of the field,
 * and stands under the nearest positioned ancestor.
 */
export function SearchField({
  hint,
  value,
  className,
  inputClassName,
  children,
}: SearchFieldProps) {
  const [input, setInput] = useState<HTMLInputElement>();
  const wake = (event: SyntheticEvent<HTMLInputElement>) => {
    // Words are sent when they are complete: a form that applies changes at once does not hear them.
    event.stopPropagation();
    setInput(event.currentTarget);
  };
  return (
    <>
      <label className={className}>
        {children}
        <input
          name="q"
          defaultValue={value}
          placeholder={hint}
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
