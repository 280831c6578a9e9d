import { TIMES } from "#app/lib/enquiry/enquiry.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { FieldError, FieldHint, RequiredMark, useControl } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { OwnFields } from "./enquiry-form.tsx";

const messages = defineMessages({
  en: {
    times: "Times that suit you",
    day: (number: number) => `Day ${number}`,
    time: (number: number) => `Time ${number}`,
    timesHint: "Monday to Friday, 9.30–14.00 and 16.30–19.00; in July and August 9.00–15.00.",
  },
  es: {
    times: "Horas que le convienen",
    day: (number) => `Día ${number}`,
    time: (number) => `Hora ${number}`,
    timesHint: "De lunes a viernes, 9.30–14.00 y 16.30–19.00; en julio y agosto, 9.00–15.00.",
  },
});

const HOURS = ["09", "10", "11", "12", "13", "14", "16", "17", "18"]
  .flatMap((hour) => [`${hour}:00`, `${hour}:30`])
  .filter((time) => time !== "16:00")
  .map((time) => ({ value: time, label: time }));

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
  const control = useControl({ id, hint: t.timesHint, error, required });
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
      <FieldHint of={control}>{t.timesHint}</FieldHint>
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
              options={HOURS}
              defaultValue={values[`time${time}`] ?? "10:30"}
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
