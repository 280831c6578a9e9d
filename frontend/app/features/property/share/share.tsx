import { type MouseEvent, useRef } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { addToast } from "#app/lib/toast/toasts.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { detailMessages } from "../detail-messages.ts";
import { useCopied } from "./use-copied.ts";

const PANEL = "share";

/**
 * Shares the home: with the phone's share sheet if there is one, otherwise with a popover of links, which the
 * browser opens natively.
 */
export function Share({ property, url }: { property: PropertyDetail; url: string }) {
  const d = useMessages(detailMessages);
  const [copied, copy] = useCopied(() =>
    addToast({ title: d.linkCopied, description: property.title, icon: "check", color: "leaf" }),
  );
  const text = d.shareText(property.title, property.ref);
  const panel = useRef<HTMLDivElement>(null);
  const onShare = (event: MouseEvent) => {
    // A device with a hovering pointer also has a keyboard and a clipboard, for which the panel is better.
    const isNative = "share" in navigator && matchMedia("(hover: none)").matches;
    if (!isNative) return;
    event.preventDefault();
    navigator.share({ title: property.title, text, url }).catch(({ name }: Error) => {
      // AbortError: the visitor cancelled. InvalidStateError: the share sheet is already open. With any other
      // error the browser refused to share, as in the browser views of other apps.
      const isRefused = name !== "AbortError" && name !== "InvalidStateError";
      if (isRefused) panel.current?.togglePopover(true);
    });
  };
  return (
    <div className="ml-auto flex shrink-0 gap-2 print:hidden">
      <Button
        look="outline"
        popoverTarget={PANEL}
        onClick={onShare}
        className="max-sm:px-3 [anchor-name:--share]"
      >
        <Icon name="share" className="size-4.5" />
        <span className="max-sm:sr-only">{d.share}</span>
      </Button>
      <Button look="outline" onClick={() => print()} className="max-sm:px-3 noscript:hidden">
        <Icon name="print" className="size-4.5" />
        <span className="max-sm:sr-only">{d.print}</span>
      </Button>
      <div
        ref={panel}
        id={PANEL}
        popover="auto"
        className="popover w-72 max-w-full p-2 [position-anchor:--share]"
      >
        <button type="button" onClick={() => copy(url)} className="share-entry noscript:hidden">
          {copied ? <Icon name="check" /> : <Icon name="copy" />}
          <span>{copied ? d.copied : d.copyLink}</span>
        </button>
        <a
          href={`https://wa.me/?text=${encodeURIComponent(`${text} ${url}`)}`}
          rel="noopener noreferrer"
          className="share-entry"
        >
          <Icon name="whatsapp" />
          {d.byWhatsapp}
        </a>
        <a
          href={`mailto:?subject=${encodeURIComponent(text)}&body=${encodeURIComponent(url)}`}
          className="share-entry"
        >
          <Icon name="mail" />
          {d.byMail}
        </a>
      </div>
    </div>
  );
}
