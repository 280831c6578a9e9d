import { useEffect, useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Besides } from "#app/lib/units/besides.tsx";
import { chooseUnits, useBothUnits } from "#app/lib/units/units.ts";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { detailMessages } from "../detail-messages.ts";

/** Pounds and square feet besides, for those who think in them: here, on every card and where homes are compared. */
export function UnitsChoice() {
  const d = useMessages(detailMessages);
  const both = useBothUnits();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Ticked before the script came.
    if (box.current?.checked) chooseUnits(true);
  }, []);
  return (
    <div className="mt-3 noscript:hidden print:hidden">
      <Checkbox
        ref={box}
        label={d.bothUnits}
        checked={both}
        onChange={(event) => chooseUnits(event.target.checked)}
        className="text-sm"
      />
      <p className="units-rate">
        <Besides rate />
      </p>
    </div>
  );
}
