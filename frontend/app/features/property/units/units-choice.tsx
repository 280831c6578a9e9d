import { useEffect, useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ImperialFigure } from "#app/lib/units/imperial-figure.tsx";
import { chooseUnits, useBothUnits } from "#app/lib/units/units.ts";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { detailMessages } from "../detail-messages.ts";

/** A checkbox to show pounds and square feet too: on this page, on every card, and in the comparison. */
export function UnitsChoice() {
  const d = useMessages(detailMessages);
  const both = useBothUnits();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // It may have been ticked before hydration.
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
        <ImperialFigure rate />
      </p>
    </div>
  );
}
