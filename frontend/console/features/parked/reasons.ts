import type { ParkedItem } from "#console/lib/api/types.ts";
import { showJson } from "#console/lib/format/value.ts";

/** Why an item is parked: a field, the rule that it breaks, what it holds and what it held when it was good. */
export interface Reason {
  /** Empty where it is all of the item. */
  field: string;
  rule: string;
  now: string | undefined;
  /** Nothing where it is not known; null where there was nothing. */
  lastGood: string | null | undefined;
}

/** The violations of an item, each with the difference that was found for its field. */
export function reasonsOf({
  violations,
  differences = [],
}: Pick<ParkedItem, "violations" | "differences">): Reason[] {
  return violations.map(({ field, rule, value }) => {
    const difference = differences.find((each) => each.field === field);
    return {
      field,
      rule,
      now: value === "" ? undefined : showJson(value),
      lastGood: difference && goodOf(difference.lastGood),
    };
  });
}

const goodOf = (json: string | null) => (json === null ? null : showJson(json));
