import { type RefObject, useEffect } from "react";

/** Calls `onChange` with a value that was typed or chosen in a field before hydration. */
export function useValueBeforeHydration(
  field: RefObject<{ readonly value: string } | null>,
  value: string,
  onChange: (value: string) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script takes the field over
  useEffect(() => {
    const typed = field.current?.value;
    if (typed !== undefined && typed !== value) onChange(typed);
  }, []);
}
