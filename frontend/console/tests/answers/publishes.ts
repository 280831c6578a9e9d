import type { Publish } from "#console/lib/api/types.ts";
import { ago, position, TRACE } from "./common.ts";

export function publishes(): Publish[] {
  const titles = [
    ["properties", "AH-1042", "Villa with a view of the sea, Nerja"],
    ["properties", "AH-1007", "Town house with a terrace, Frigiliana"],
    ["articles", "61", "The Eagle Aqueduct, and how to walk to it"],
    ["properties", "AH-1188", "Finca with avocado trees, Torrox"],
  ] as const;
  return Array.from({ length: 130 }, (_, index) => {
    const [collection, key, title] = titles[index % titles.length] ?? titles[0];
    const refused = index === 3 ? "the log takes no message of more than 1 MB" : null;
    const overtaken = index === 2;
    const live = index === 0 || overtaken || refused ? null : 96 + ((index * 37) % 220);
    return {
      id: 4_000 - index,
      collection,
      key,
      version: 3 + (index % 9),
      change: index % 23 === 6 ? "removed" : "upserted",
      title,
      hintedAt: index % 11 === 5 ? null : ago(30 + index * 61 + 0.038),
      capturedAt: ago(30 + index * 61),
      publishedAt: refused ? null : ago(30 + index * 61 - 0.004),
      sequence: refused ? null : position(5_121 - index),
      refused,
      traceId: refused ? null : TRACE,
      overtaken,
      live:
        live === null
          ? null
          : {
              since: ago(30 + index * 61),
              milliseconds: live,
              addresses: [`https://almijara.example/property-for-sale/nerja/${key}`],
            },
    };
  });
}
