import { useEffect, useId, useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { askMessages } from "./ask-messages.ts";
import type { Asker } from "./ask-text.ts";

interface AskFieldsProps {
  asker: Asker;
  onChange: (asker: Asker) => void;
}

/** Who asks and what: it goes into the text that the buttons below carry. Nothing is sent from here. */
export function AskFields({ asker, onChange }: AskFieldsProps) {
  const t = useMessages(askMessages);
  const id = useId();
  const fields = useRef<HTMLDetailsElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the script takes them over
  useEffect(() => {
    // What was typed before that counts.
    const typed = fields.current?.querySelectorAll<HTMLInputElement>("[name]") ?? [];
    onChange({ ...asker, ...Object.fromEntries(Array.from(typed, (it) => [it.name, it.value])) });
  }, []);
  const field = (name: keyof Asker) => ({
    id: `${id}${name}`,
    name,
    value: asker[name],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...asker, [name]: event.target.value }),
    className: "field mt-1 min-h-11",
  });
  const label = (name: keyof Asker) => (
    <label htmlFor={`${id}${name}`} className="block text-sm font-medium">
      {t[name]}
    </label>
  );
  return (
    <details ref={fields} className="group mt-4 no-script:hidden">
      <summary className="inline-flex min-h-11 items-center gap-1.5 font-medium hover:underline">
        {t.write}
        <Icon name="chevron" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <p className="text-sm text-muted">{t.writeText}</p>
      <div className="mt-3 flex flex-col gap-3">
        <div>
          {label("name")}
          <input type="text" autoComplete="name" maxLength={100} {...field("name")} />
        </div>
        <div>
          {label("email")}
          <input type="email" autoComplete="email" maxLength={200} {...field("email")} />
        </div>
        <div>
          {label("phone")}
          <input type="tel" autoComplete="tel" maxLength={40} {...field("phone")} />
        </div>
        <div>
          {label("message")}
          <textarea rows={4} maxLength={1_000} {...field("message")} />
        </div>
      </div>
    </details>
  );
}
