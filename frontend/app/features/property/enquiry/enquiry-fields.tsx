import { useEffect, useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { TextArea, TextField } from "#app/ui/text-field.tsx";
import { enquiryMessages } from "./enquiry-messages.ts";
import type { Enquirer } from "./enquiry-text.ts";

interface AskFieldsProps {
  enquirer: Enquirer;
  onChange: (enquirer: Enquirer) => void;
}

/** Who asks and what: it goes into the text that the buttons below carry. Nothing is sent from here. */
export function EnquiryFields({ enquirer, onChange }: AskFieldsProps) {
  const t = useMessages(enquiryMessages);
  const fields = useRef<HTMLDetailsElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script takes them over
  useEffect(() => {
    // What was typed before that counts.
    const typed = fields.current?.querySelectorAll<HTMLInputElement>("[name]") ?? [];
    onChange({
      ...enquirer,
      ...Object.fromEntries(Array.from(typed, (it) => [it.name, it.value])),
    });
  }, []);
  const field = (name: keyof Enquirer) => ({
    label: t[name],
    name,
    value: enquirer[name],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...enquirer, [name]: event.target.value }),
    className: "text-sm",
  });
  return (
    <details ref={fields} className="group mt-4 no-script:hidden">
      <summary className="inline-flex min-h-11 items-center gap-1.5 font-medium hover:underline">
        {t.write}
        <Icon name="chevron" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <p className="text-sm text-muted">{t.writeText}</p>
      <div className="mt-3 flex flex-col gap-3">
        <TextField autoComplete="name" maxLength={100} {...field("name")} />
        <TextField type="email" maxLength={200} {...field("email")} />
        <TextField type="tel" maxLength={40} {...field("phone")} />
        <TextArea rows={4} maxLength={1_000} {...field("message")} />
      </div>
    </details>
  );
}
