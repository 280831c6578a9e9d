import { Slider as Base } from "@base-ui/react/slider";
import { useLocale } from "#app/lib/i18n/locale.ts";
import "../styles/overlays.css";

interface SliderProps {
  label: string;
  name: string;
  min: number;
  max: number;
  step?: number;
  /** A number, or the two ends of a range. */
  defaultValue: number | readonly [number, number];
  /** Accessible names of the two thumbs of a range. */
  thumbs?: readonly [string, string];
  /** Formats a value. */
  show?: (value: number) => string;
  disabled?: boolean;
  onChange?: (value: number | readonly number[]) => void;
}

/**
 * Sets a number that need not be exact; where it must be, put a text field beside it. The price range of the
 * search doesn't use this component: it must be light, so it is made of two native sliders.
 */
export function Slider({ label, thumbs, show = String, onChange, ...root }: SliderProps) {
  const locale = useLocale();
  const thumbNames = typeof root.defaultValue === "number" ? [label] : (thumbs ?? [label, label]);
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
          {thumbNames.map((name, index) => (
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
