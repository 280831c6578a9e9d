import { TIMES } from "#app/lib/enquiry/enquiry.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { FieldError, FieldHint, RequiredMark, useControl } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { enquiryFormMessages } from "./form-messages.ts";

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
export function ProposedTimes({ id, label, required, error, values }: ProposedTimesProps) {
  const t = useMessages(enquiryFormMessages);
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
