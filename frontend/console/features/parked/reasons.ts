import type { ParkedComparison, ParkedItem } from "#console/lib/api/types.ts";
import { showJson } from "#console/lib/format/value.ts";

/** Why an item is parked: a field, the rule that it breaks, what it holds and what it held when it was good. */
export interface Reason {
  /** Empty where it is all of the item. */
  field: string;
  rule: string;
  /** Nothing where it is not known; null where there is nothing. */
  now: string | null | undefined;
  /** The same of then. */
  lastGood: string | null | undefined;
  /** Whether it is marked as breaking a rule, which is told elsewhere. */
  broken?: boolean;
}

/** The violations of an item, each with the difference that was found for its field. */
export function reasonsOf({
  violations,
  differences,
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

/** Every field that differs. Of a person no value is told, and so none is nothing. */
export function differencesOf({ fields, personal }: ParkedComparison): Reason[] {
  const visible = (json: string | null) => (personal ? undefined : goodOf(json));
  return fields.map(({ field, now, lastGood, broken }) => ({
    field,
    rule: "",
    now: visible(now),
    lastGood: visible(lastGood),
    broken,
  }));
}

const goodOf = (json: string | null) => (json === null ? null : showJson(json));
