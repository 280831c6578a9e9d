import { useEffect, useState } from "react";
import { formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { changedSince, lastLook, saveLook } from "#app/lib/my-homes/last-look.ts";
import type { Offer } from "#app/lib/property/offer.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { myHomesMessages } from "./messages.ts";

/** Returns a text with a home's price or status at the last visit on this device; undefined if unchanged. */
export function useChangeText(reference: string, now: Offer | undefined): string | undefined {
  const locale = useLocale();
  const t = useMessages(myHomesMessages);
  const statuses = useMessages(statusNames);
  // Read once on mount, since the current visit overwrites the stored one.
  const [last] = useState(() => lastLook(reference));
  const change = now && changedSince(last, now);
  if (!change) return undefined;
  return change.price == null
    ? t.wasStatus(statuses[change.status ?? now.status])
    : t.wasPrice(formatPrice(locale, change.price));
}

/** Shows on a property page what has changed since the last visit, and records this visit. */
export function LastLook({ reference, now }: { reference: string; now: Offer }) {
  const text = useChangeText(reference, now);
  const { price, status } = now;
  useEffect(() => saveLook(reference, { price, status }), [reference, price, status]);
  return text ? (
    <p className="flex min-h-11 flex-1 basis-40 items-center text-sm leading-tight font-medium">
      {text}
    </p>
  ) : null;
}
