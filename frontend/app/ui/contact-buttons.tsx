import { telephoneHref, whatsappHref } from "#app/lib/format/format.ts";
import { buttonStyle } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface ContactButtonsProps {
  whatsapp: string | null | undefined;
  phone: string | undefined;
  /** The text that a WhatsApp conversation starts with. */
  line?: string;
}

/** Links to open a WhatsApp conversation and to call us, in the same order everywhere. */
export function ContactButtons({ whatsapp, phone, line }: ContactButtonsProps) {
  return (
    <>
      {whatsapp ? (
        <a
          href={whatsappHref(whatsapp, line)}
          rel="noopener noreferrer"
          className={buttonStyle.outline}
        >
          <Icon name="whatsapp" />
          WhatsApp
        </a>
      ) : null}
      {phone ? (
        <a href={telephoneHref(phone)} className={buttonStyle.outline}>
          <Icon name="phone" />
          {phone}
        </a>
      ) : null}
    </>
  );
}
