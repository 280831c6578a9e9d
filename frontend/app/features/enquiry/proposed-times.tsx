import { type FormEvent, useEffect, useRef, useState } from "react";
import { TIMES } from "#app/lib/enquiry/enquiry.ts";
import {
  type Chosen,
  halfHoursOn,
  nextChosen,
  PROPOSED_HOUR,
  proposableDays,
  proposedHour,
} from "#app/lib/enquiry/viewing-times.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { halfHours, openingLines } from "#app/lib/site/opening-hours.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { FieldError, FieldHint, RequiredMark, useControl } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { EnquiryFieldProps, KindFields } from "./enquiry-form.tsx";

const messages = defineMessages({
  en: {
    times: "Times that suit you",
    needed: "required",
    day: (number: number) => `Day ${number}`,
    time: (number: number) => `Time ${number}`,
    byArrangement:
      "From tomorrow onwards. We will tell you whether somebody can show it to you then.",
  },
  es: {
    times: "Horas que le convienen",
    needed: "obligatorias",
    day: (number) => `Día ${number}`,
    time: (number) => `Hora ${number}`,
    byArrangement: "Desde mañana. Le diremos si alguien puede enseñárselo entonces.",
  },
});

/** The times offered if the editors have set no opening hours. */
const DAYTIME = [{ months: [], weekdays: [], opens: "09:00", closes: "20:00" }];

interface ProposedTimesProps extends EnquiryFieldProps {
  /** Returns the props of each day and time field. */
  part: (name: string) => EnquiryFieldProps;
}

/** Fields for up to three days and times that suit the visitor; the office confirms one. */
function ProposedTimes({ id, label, required, error, part }: ProposedTimesProps) {
  const t = useMessages(messages);
  const locale = useLocale();
  const { openingHours } = useSite().settings;
  const known = openingHours.length > 0;
  const hint = known ? `${openingLines(openingHours, locale).join(". ")}.` : t.byArrangement;
  const control = useControl({ id, hint, error, required });
  const box = useRef<HTMLFieldSetElement>(null);
  const [{ first, last }] = useState(() => proposableDays(new Date()));
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const usual = known ? openingHours : DAYTIME;
  // Fixed on the first render, even if editors change the opening hours while the page is open.
  const [proposed] = useState(() => proposedHour(usual));
  const onInput = ({ target }: FormEvent) => {
    const changed = (target as HTMLInputElement | HTMLSelectElement).name;
    setChosen((before) => nextChosen(before, readChosen(box.current), changed));
  };
  // Only after hydration: without JavaScript every time stays in the list, whatever day is chosen.
  useEffect(() => setChosen(readChosen(box.current)), []);
  // After a day is cleared, the browser may show a time that the visitor did not choose: restore the chosen one.
  useEffect(() => {
    for (const [index, { day, hour }] of chosen.entries()) {
      const field = box.current?.elements.namedItem(`time${TIMES[index]}`);
      if (day === "" && hour && field instanceof HTMLSelectElement) field.value = hour;
    }
  }, [chosen]);
  const hoursOf = ({ day, hour }: Chosen = { day: "", hour: "" }) => {
    // While a year is being typed, the date is in the distant past.
    const found = day >= first && day <= last ? halfHoursOn(openingHours, day, hour) : [];
    return found.length > 0 ? found : halfHours(usual);
  };
  return (
    <fieldset
      ref={box}
      id={id}
      tabIndex={-1}
      aria-describedby={control["aria-describedby"]}
      className="field-frame"
      onInput={onInput}
    >
      <legend className="field-label">
        {label}
        {required ? (
          <>
            <RequiredMark />
            {/* No single field is required, so the legend says it for the group. */}
            <span className="sr-only"> ({t.needed})</span>
          </>
        ) : null}
      </legend>
      <FieldHint of={control}>{hint}</FieldHint>
      <input type="hidden" name={PROPOSED_HOUR} value={proposed} />
      <div className="mt-1 grid gap-3">
        {TIMES.map((time, index) => {
          const hour = part(`time${time}`);
          const hours = hoursOf(chosen[index]);
          return (
            <div key={time} className="grid grid-cols-[1.4fr_1fr] gap-3 narrow:grid-cols-1">
              <TextField type="date" min={first} max={last} {...part(`day${time}`)} />
              <Select
                {...hour}
                options={hours.map((value) => ({ value, label: value }))}
                defaultValue={hour.defaultValue ?? proposed}
              />
            </div>
          );
        })}
      </div>
      <FieldError of={control}>{error}</FieldError>
    </fieldset>
  );
}

/** Reads the current days and times from the fields of `box`. */
function readChosen(box: HTMLFieldSetElement | null): Chosen[] {
  return TIMES.map((time) => ({
    day: valueIn(box, `day${time}`),
    hour: valueIn(box, `time${time}`),
  }));
}

/** Returns the value of a field of `box`, or an empty string. */
function valueIn(box: HTMLFieldSetElement | null, name: string): string {
  const field = box?.elements.namedItem(name);
  const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  return isField ? field.value : "";
}

/** Returns the fields that only a viewing has. */
export function useViewingFields(): KindFields {
  const t = useMessages(messages);
  const parts = TIMES.flatMap((time) => [
    [`day${time}`, t.day(time)],
    [`time${time}`, t.time(time)],
  ]);
  return {
    labels: { times: t.times, ...Object.fromEntries(parts) },
    draw: (_name, field, part) => <ProposedTimes {...field} part={part} />,
  };
}
