import { expect, test } from "vitest";
import { LENGTHS } from "#app/lib/enquiry/rules.gen.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { LOCALES } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { enquiryFormMessages } from "./form-messages.ts";

test.each(LOCALES)(
  "the maximum message length in the text matches the service's limit (%s)",
  (locale) => {
    const words = messagesFor(enquiryFormMessages, locale)["too-large"];
    expect(words).toContain(` ${formatNumber(locale, LENGTHS.message.max)} `);
  },
);
