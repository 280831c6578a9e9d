import { type FormEvent, useEffect, useRef, useState } from "react";
import { TIMES } from "#app/lib/enquiry/enquiry.ts";
import {
  type Chosen,
  chosenAfter,
  halfHoursOn,
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
import type { EnquiryFieldProps, OwnFields } from "./enquiry-form.tsx";

const messages = defineMessages({
  en: {
    times: "Times that suit you",
    needed: "needed",
    day: (number: number) => `Day ${number}`,
    time: (number: number) => `Time ${number}`,
    byArrangement: "From tomorrow on. We will tell you whether somebody can show it to you then.",
  },
  es: {
    times: "Horas que le convienen",
    needed: "obligatorias",
    day: (number) => `Día ${number}`,
    time: (number) => `Hora ${number}`,
    byArrangement: "Desde mañana. Le diremos si alguien puede enseñárselo entonces.",
  },
});

/** What may be chosen where the editors have not said when somebody is there. */
const DAYTIME = [{ months: [], weekdays: [], opens: "09:00", closes: "20:00" }];

interface ProposedTimesProps extends EnquiryFieldProps {
  /** The fields of each day and each hour. */
  part: (name: string) => EnquiryFieldProps;
}

/** Up to three days and hours that suit; the office confirms one. */
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
  // As the fields begin, whatever editors change meanwhile.
  const [proposed] = useState(() => proposedHour(usual));
  const look = ({ target }: FormEvent) => {
    const changed = (target as HTMLInputElement | HTMLSelectElement).name;
    setChosen((before) => chosenAfter(before, inFields(box.current), changed));
  };
  // Without a script every hour stays in the list, whichever day is chosen.
  useEffect(() => setChosen(inFields(box.current)), []);
  // Where a day is taken back, its list may go on at an hour that nobody has chosen.
  useEffect(() => {
    for (const [index, { day, hour }] of chosen.entries()) {
      const field = box.current?.elements.namedItem(`time${TIMES[index]}`);
      if (day === "" && hour && field instanceof HTMLSelectElement) field.value = hour;
    }
  }, [chosen]);
  const hoursOf = ({ day, hour }: Chosen = { day: "", hour: "" }) => {
    // A year that is still being typed is long ago.
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
      onInput={look}
    >
      <legend className="field-label">
        {label}
        {required ? (
          <>
            <RequiredMark />
            {/* No field of it is needed by itself, so none says so. */}
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

/** What stands in the fields of `box` now. */
function inFields(box: HTMLFieldSetElement | null): Chosen[] {
  return TIMES.map((time) => ({
    day: valueIn(box, `day${time}`),
    hour: valueIn(box, `time${time}`),
  }));
}

/** What is chosen in a field of `box`. */
function valueIn(box: HTMLFieldSetElement | null, name: string): string {
  const field = box?.elements.namedItem(name);
  const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  return isField ? field.value : "";
}

/** The field of a viewing that no other enquiry has. */
export function useViewingFields(): OwnFields {
  const t = useMessages(messages);
  const parts = TIMES.flatMap((time) => [
    [`day${time}`, t.day(time)],
    [`time${time}`, t.time(time)],
  ]);
  return {
    labels: { times: t.times, ...Object.fromEntries(parts) },
    needed: ["times"],
    draw: (_name, field, part) => <ProposedTimes {...field} part={part} />,
  };
}
