import type { EnquiryField } from "#app/lib/enquiry/enquiry.ts";
import { LENGTHS } from "#app/lib/enquiry/rules.gen.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { kindNames } from "#app/lib/vocabulary/names.gen.ts";
import { FileField } from "#app/ui/file-field.tsx";
import { Select } from "#app/ui/select.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { EnquiryFieldProps, KindFields } from "./enquiry-form.tsx";

const messages = defineMessages({
  en: {
    address: "Address of the property",
    addressHint: "Street and number, or how to find a house in the country.",
    propertyKind: "Type of property",
    builtArea: "Built size",
    pictures: "Pictures",
    picturesHint: "Up to five, inside and out. Only our office sees them.",
    withoutScript: "You will get an email from us: reply with a few pictures of the property.",
  },
  es: {
    address: "Dirección del inmueble",
    addressHint: "Calle y número, o cómo llegar si está en el campo.",
    propertyKind: "Qué es",
    builtArea: "Superficie construida",
    pictures: "Fotos",
    picturesHint: "Hasta cinco, del interior y del exterior. Solo las ve nuestra oficina.",
    withoutScript: "Recibirá un correo nuestro: respóndalo con unas fotos del inmueble.",
  },
});

/** Returns the fields that only a valuation has. */
export function useValuationFields(): KindFields {
  const locale = useLocale();
  const t = useMessages(messages);
  const kinds = Object.entries(kindNames[locale]).map(([value, label]) => ({ value, label }));
  const draw = (name: EnquiryField, { defaultValue, ...field }: EnquiryFieldProps) => {
    switch (name) {
      case "address":
        return (
          <TextField
            autoComplete="street-address"
            maxLength={LENGTHS.address.max}
            hint={t.addressHint}
            defaultValue={defaultValue}
            {...field}
          />
        );
      case "propertyKind":
        return <Select none options={kinds} defaultValue={defaultValue} {...field} />;
      case "builtArea":
        // Not `type="number"`: for "1.200 m²" a browser would return an empty value.
        return (
          <TextField
            inputMode="decimal"
            maxLength={20}
            unit="m²"
            defaultValue={defaultValue}
            {...field}
          />
        );
      case "pictures":
        return (
          <FileField
            accept="image/*"
            multiple
            hint={t.picturesHint}
            withoutScript={t.withoutScript}
            {...field}
          />
        );
      default:
        return null;
    }
  };
  return { labels: t, draw };
}
