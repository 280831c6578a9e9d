import { textIn } from "#app/lib/form/form-data.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import type { OpeningHours } from "#app/lib/site/opening-hours.ts";
import type { EnquiryError, EnquiryKind } from "./enquiry.ts";
import { FIELDS } from "./enquiry.ts";
import { chosenPictures } from "./pictures.ts";
import { REFUSALS } from "./refusals.gen.ts";
import { AREA, LENGTHS, MAX_PICTURES, REQUIRED } from "./rules.gen.ts";
import { squareMetres } from "./square-metres.ts";
import { timeErrors } from "./viewing-times.ts";

type Code = keyof typeof REFUSALS;

/**
 * Validates a form by the service's rules, except those that only the service can check. `hours` are the
 * office's.
 */
export function check(
  kind: EnquiryKind,
  form: FormData,
  locale: Locale,
  hours: OpeningHours,
  now = new Date(),
): EnquiryError[] {
  const text = (name: string) => textIn(form, name);
  const errors: EnquiryError[] = [];
  const refuse = (field: string, code: Code, values: Record<string, number | string> = {}) => {
    const words: string = REFUSALS[code][locale];
    const detail = words.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    errors.push({ field, detail });
  };
  const required: readonly string[] = REQUIRED[kind];
  for (const field of FIELDS[kind]) {
    if (field === "times") {
      errors.push(...timeErrors(form, hours, locale, now));
      continue;
    }
    if (field === "pictures") {
      const tooMany = chosenPictures(form).length > MAX_PICTURES;
      if (tooMany) refuse("pictures", "too_many", { max: MAX_PICTURES });
      continue;
    }
    const value = text(field);
    if (field === "propertyKind" || field === "builtArea") {
      const area = squareMetres(value);
      if (value === "" && required.includes(field)) refuse(field, "required");
      else if (field === "builtArea" && value !== "" && !(area >= AREA.min && area <= AREA.max)) {
        const limit = (area: number) => formatNumber(locale, area);
        refuse(field, "out_of_range", { min: limit(AREA.min), max: limit(AREA.max) });
      }
      continue;
    }
    const { min, max } = LENGTHS[field];
    const needed = required.includes(field) || (field === "firstName" && required.includes("name"));
    const length = [...value].length;
    if (value === "") {
      if (needed) refuse(field, "required");
    } else if (length < min) refuse(field, "too_short", { min });
    else if (length > max) refuse(field, "too_long", { max });
    else if (field === "email" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
      refuse(field, "invalid_email");
    } else if ((field === "phone" || field === "mobile") && countDigits(value) < 6) {
      refuse(field, "invalid_phone");
    }
    const nowhere = !text("email") && !text("phone") && !text("mobile");
    if (kind === "callback" && field === "phone" && nowhere) refuse("phone", "phone_needed");
    else if (field === "email" && nowhere) refuse("email", "contact_needed");
  }
  return errors;
}

/** Counts the digits, in any script: the service accepts them all. */
const countDigits = (text: string) => text.match(/\p{Nd}/gu)?.length ?? 0;
