import { useState } from "react";
import { formatArea } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import { FilterFieldsContext } from "./filter-draft.ts";
import { RangeField } from "./range-field.tsx";
import { SearchField } from "./type-ahead/search-field.tsx";

/**
 * A typical histogram of built sizes in square metres. It is fixed, so that screenshots do not change with
 * the homes.
 */
const SPREAD = {
  from: [0, 50, 75, 100, 125, 150, 200, 300, 500],
  counts: [2, 9, 21, 26, 18, 12, 9, 5, 1],
};

/** Samples of the fields that only search forms have. */
export function SearchSamples() {
  const locale = useLocale();
  const [written, write] = useState<ReadonlyMap<string, readonly string[]>>(
    new Map([["minBuilt", ["90"]]]),
  );
  return (
    <SampleGroup name="Search">
      <Sample name="Type-ahead">
        {/* Its list is placed below the nearest positioned ancestor. */}
        <form action="/property-for-sale" className="relative w-full max-w-md">
          <SearchField
            className="block"
            labelClassName="font-semibold"
            inputClassName="field mt-2 min-h-11"
          />
        </form>
      </Sample>
      <Sample name="Range">
        <FilterFieldsContext
          value={{
            values: (name) => written.get(name) ?? [],
            change: (name, values) => write((before) => new Map(before).set(name, values)),
          }}
        >
          <div className="w-full max-w-sm">
            <RangeField
              label="Built size"
              unit="m²"
              names={["minBuilt", "maxBuilt"]}
              spread={SPREAD}
              show={(value) => formatArea(locale, value)}
            />
          </div>
        </FilterFieldsContext>
      </Sample>
    </SampleGroup>
  );
}
