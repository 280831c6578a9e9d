import { Slider as Base } from "@base-ui/react/slider";
import { useLocale } from "#app/lib/i18n/locale.ts";
import "../styles/overlays.css";

interface SliderProps {
  label: string;
  name: string;
  min: number;
  max: number;
  step?: number;
  /** One figure, or the two ends of a range. */
  defaultValue: number | readonly [number, number];
  /** What each thumb of a range is called. */
  thumbs?: readonly [string, string];
  /** A figure as it is said. */
  show?: (value: number) => string;
  disabled?: boolean;
  onChange?: (value: number | readonly number[]) => void;
}

/**
 * A figure that need not be exact. Beside it, where it must be, stands a field to type in; the range of
 * prices in the search has its own, of the browser's two sliders, since it must be light.
 */
export function Slider({ label, thumbs, show = String, onChange, ...root }: SliderProps) {
  const locale = useLocale();
  const ends = typeof root.defaultValue === "number" ? [label] : (thumbs ?? [label, label]);
  return (
    <Base.Root {...root} locale={locale} onValueChange={(value) => onChange?.(value)}>
      <div className="flex items-baseline justify-between gap-4">
        <Base.Label className="field-label">{label}</Base.Label>
        <Base.Value className="text-sm text-muted tabular-nums">
          {(_, values) => values.map(show).join(" – ")}
        </Base.Value>
      </div>
      <Base.Control className="slider">
        <Base.Track className="slider-track">
          <Base.Indicator className="slider-filled" />
          {ends.map((name, index) => (
            <Base.Thumb
              key={name}
              index={index}
              className="slider-thumb"
              getAriaLabel={() => name}
              getAriaValueText={(_, value) => show(value)}
            />
          ))}
        </Base.Track>
      </Base.Control>
    </Base.Root>
  );
}
