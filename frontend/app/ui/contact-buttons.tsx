import { telephoneHref, whatsappHref } from "#app/lib/format/format.ts";
import { buttonStyle } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface ContactButtonsProps {
  whatsapp: string | null | undefined;
  phone: string | undefined;
  /** The first line of a conversation. */
  line?: string;
}

/** What opens a conversation on WhatsApp, and what rings us, in this order wherever they stand. */
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
