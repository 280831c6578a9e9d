import { Combobox as Base } from "@base-ui/react/combobox";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Avatar } from "./avatar.tsx";
import { Dot } from "./badge.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { comboboxMessages } from "./messages.ts";
import type { Option } from "./select.tsx";
import "../styles/overlays.css";

interface ComboboxProps extends FieldProps {
  name: string;
  options: readonly Option[];
  defaultValue?: string;
  placeholder?: string;
  disabled?: boolean;
  onChange?: (value: string | undefined) => void;
}

/** Selects one of many options by typing. For few options, or where scripts can't be relied on, use `Select`. */
export function Combobox({
  options,
  name,
  defaultValue,
  placeholder,
  disabled = false,
  onChange,
  ...field
}: ComboboxProps) {
  const t = useMessages(comboboxMessages);
  const [query, setQuery] = useState("");
  return (
    <Field {...field}>
      {({ required: _, ...control }) => (
        <Base.Root
          items={options}
          name={name}
          defaultValue={options.find(({ value }) => value === defaultValue) ?? null}
          onValueChange={(option) => onChange?.(option?.value)}
          onInputValueChange={setQuery}
          required={field.required ?? false}
          disabled={disabled}
        >
          <Base.InputGroup className="relative">
            <Base.Input
              {...control}
              placeholder={placeholder ?? t.search}
              className="field pr-10"
            />
            <Base.Trigger className="combobox-trigger" aria-label={t.open}>
              <Icon name="chevron" className="size-4" />
            </Base.Trigger>
          </Base.InputGroup>
          <Base.Portal>
            <Base.Positioner className="floating" sideOffset={8} collisionPadding={8}>
              <Base.Popup className="menu list-popup">
                <Base.Empty>
                  <p className="px-3 py-2 text-muted">
                    {options.length === 0 ? t.noOptions : t.noResults(query)}
                  </p>
                </Base.Empty>
                <Base.List className="option-list">
                  {(option: Option) => (
                    <Base.Item
                      key={option.value}
                      value={option}
                      disabled={option.disabled ?? false}
                      className="menu-entry"
                    >
                      <OptionMark option={option} />
                      {option.label}
                      <Base.ItemIndicator className="ml-auto">
                        <Icon name="check" className="size-4.5" />
                      </Base.ItemIndicator>
                    </Base.Item>
                  )}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      )}
    </Field>
  );
}

/** The decoration before an option's label. The label alone says everything. */
function OptionMark({ option: { icon, avatar, chip } }: { option: Option }) {
  if (avatar) return <Avatar {...avatar} />;
  if (icon) return <Icon name={icon} className="size-4.5 text-muted" />;
  return chip ? <Dot color={chip} /> : null;
}
