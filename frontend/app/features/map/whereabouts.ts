import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import type { Spot } from "#app/lib/map/projection.ts";
import { TOWNS } from "#app/lib/map/towns.ts";
import { mapMessages } from "./messages.ts";
import { MUNICIPALITIES } from "./municipalities.gen.ts";

const KM_PER_DEGREE = 111.3;
/** Within this distance, in kilometres, a spot counts as in the town. */
const IN_TOWN = 0.7;

const PLACES = [...TOWNS, ...MUNICIPALITIES.map(([name, lng, lat]) => ({ name, lng, lat }))];

/** Describes where a spot is: `2.3 km north-east of Nerja`. */
export function whereabouts(locale: Locale, spot: Spot): string {
  const t = messagesFor(mapMessages, locale);
  const lngScale = Math.cos((spot.lat * Math.PI) / 180);
  let nearest = { name: "", distance: Number.POSITIVE_INFINITY, angle: 0 };
  for (const { name, lat, lng } of PLACES) {
    const [east, north] = [(spot.lng - lng) * lngScale, spot.lat - lat];
    const distance = Math.hypot(east, north) * KM_PER_DEGREE;
    if (distance < nearest.distance) nearest = { name, distance, angle: Math.atan2(east, north) };
  }
  if (nearest.distance < IN_TOWN) return t.at(nearest.name);
  const directions = t.ways.split(",");
  const step = Math.round((nearest.angle * 4) / Math.PI);
  const direction = directions[(step + directions.length) % directions.length] ?? "";
  const distance = nearest.distance.toLocaleString(LANGUAGE_TAG[locale], {
    maximumFractionDigits: 1,
  });
  return t.from(distance, direction, nearest.name);
}
