import type { ParkedComparison, ParkedItem } from "#console/lib/api/types.ts";
import { showJson } from "#console/lib/format/value.ts";

/** Why an item is parked: a field, the rule that it breaks, its value now and in the last good version. */
export interface Reason {
  /** Empty if the rule concerns the whole item. */
  field: string;
  rule: string;
  /** The value now: undefined if unknown, null if the field is empty. */
  now: string | null | undefined;
  /** The value in the last good version, in the same form. */
  lastGood: string | null | undefined;
  /** Whether the field is marked as breaking a rule, where the rule itself is shown elsewhere. */
  broken?: boolean;
}

/** Returns the violations of an item, each with the difference that was found for its field. */
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
      lastGood: difference && shown(difference.lastGood),
    };
  });
}

/** Returns every field that differs. If the item is about a person its values are unknown, not empty. */
export function differencesOf({ fields, personal }: ParkedComparison): Reason[] {
  const visible = (json: string | null) => (personal ? undefined : shown(json));
  return fields.map(({ field, now, lastGood, broken }) => ({
    field,
    rule: "",
    now: visible(now),
    lastGood: visible(lastGood),
    broken,
  }));
}

const shown = (json: string | null) => (json === null ? null : showJson(json));
