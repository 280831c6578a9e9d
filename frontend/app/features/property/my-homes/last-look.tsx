import { useEffect, useState } from "react";
import { formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { changedSince, keepLook, lastLook } from "#app/lib/my-homes/last-look.ts";
import type { Offer } from "#app/lib/property/offer.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { myHomesMessages } from "./messages.ts";

/** What a home was when it was last looked at on this device, in words; nothing while it is the same. */
export function useChangeInWords(reference: string, now: Offer | undefined): string | undefined {
  const locale = useLocale();
  const t = useMessages(myHomesMessages);
  const statuses = useMessages(statusNames);
  // As it was when this came: the look that begins here is no reason to forget it.
  const [last] = useState(() => lastLook(reference));
  const change = now && changedSince(last, now);
  if (!change) return undefined;
  return change.price == null
    ? t.wasStatus(statuses[change.status ?? now.status])
    : t.wasPrice(formatPrice(locale, change.price));
}

/** On a home's page: what has changed since the last visit. This one is noted. */
export function LastLook({ reference, now }: { reference: string; now: Offer }) {
  const words = useChangeInWords(reference, now);
  const { price, status } = now;
  useEffect(() => keepLook(reference, { price, status }), [reference, price, status]);
  return words ? (
    <p className="flex min-h-11 flex-1 basis-40 items-center text-sm leading-tight font-medium">
      {words}
    </p>
  ) : null;
}
