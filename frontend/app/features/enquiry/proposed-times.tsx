import { TIMES } from "#app/lib/enquiry/enquiry.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { halfHours, openingLines } from "#app/lib/site/opening-hours.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { FieldError, FieldHint, RequiredMark, useControl } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { OwnFields } from "./enquiry-form.tsx";

const messages = defineMessages({
  en: {
    times: "Times that suit you",
    day: (number: number) => `Day ${number}`,
    time: (number: number) => `Time ${number}`,
    byArrangement: "From tomorrow on. We will tell you whether somebody can show it to you then.",
  },
  es: {
    times: "Horas que le convienen",
    day: (number) => `Día ${number}`,
    time: (number) => `Hora ${number}`,
    byArrangement: "Desde mañana. Le diremos si alguien puede enseñárselo entonces.",
  },
});

/** What may be chosen where the editors have not said when somebody is there. */
const DAYTIME = [{ months: [], weekdays: [], opens: "09:00", closes: "20:00" }];

interface ProposedTimesProps {
  id: string;
  label: string;
  required: boolean;
  error: string | undefined;
  values: Readonly<Record<string, string>>;
}

/** Up to three days and hours that suit; the office confirms one. */
function ProposedTimes({ id, label, required, error, values }: ProposedTimesProps) {
  const t = useMessages(messages);
  const locale = useLocale();
  const { openingHours } = useSite().settings;
  const known = openingHours.length > 0;
  const hint = known ? `${openingLines(openingHours, locale).join("; ")}.` : t.byArrangement;
  const hours = halfHours(known ? openingHours : DAYTIME).map((time) => ({
    value: time,
    label: time,
  }));
  const control = useControl({ id, hint, error, required });
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={control["aria-describedby"]}
      className="field-frame"
    >
      <legend className="field-label">
        {label}
        {required ? <RequiredMark /> : null}
      </legend>
      <FieldHint of={control}>{hint}</FieldHint>
      <div className="mt-1 grid gap-3">
        {TIMES.map((time) => (
          <div key={time} className="grid grid-cols-[1.4fr_1fr] gap-3 narrow:grid-cols-1">
            <TextField
              type="date"
              label={t.day(time)}
              name={`day${time}`}
              defaultValue={values[`day${time}`]}
            />
            <Select
              label={t.time(time)}
              name={`time${time}`}
              options={hours}
              defaultValue={values[`time${time}`] ?? hours[3]?.value}
            />
          </div>
        ))}
      </div>
      <FieldError of={control}>{error}</FieldError>
    </fieldset>
  );
}

/** The field of a viewing that no other enquiry has. */
export function useViewingFields(): OwnFields {
  const { times } = useMessages(messages);
  return {
    labels: { times },
    needed: ["times"],
    draw: (_name, field, values) => <ProposedTimes {...field} values={values} />,
    files: false,
  };
}
