import { type MouseEvent, useRef } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { addToast } from "#app/lib/toast/toasts.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { detailMessages } from "../detail-messages.ts";
import { useCopied } from "./use-copied.ts";

const PANEL = "share";

/**
 * Ways to show the home to somebody else: the telephone's own where there is one, and else a small
 * panel of links that the browser opens by itself.
 */
export function Share({ property, url }: { property: PropertyDetail; url: string }) {
  const d = useMessages(detailMessages);
  const [copied, copy] = useCopied(() =>
    addToast({ title: d.linkCopied, description: property.title, icon: "check", color: "leaf" }),
  );
  const text = d.shareText(property.title, property.ref);
  const panel = useRef<HTMLDivElement>(null);
  const onShare = (event: MouseEvent) => {
    // A pointer that hovers has a keyboard and a clipboard beside it: the panel serves it better.
    const own = "share" in navigator && matchMedia("(hover: none)").matches;
    if (!own) return;
    event.preventDefault();
    navigator.share({ title: property.title, text, url }).catch(({ name }: Error) => {
      // Aborted when the visitor thinks better of it, and no second time while it is open; else the browser
      // refuses, as within other apps.
      const isRefused = name !== "AbortError" && name !== "InvalidStateError";
      if (isRefused) panel.current?.togglePopover(true);
    });
  };
  return (
    <div className="ml-auto flex shrink-0 gap-2 print:hidden">
      <button
        type="button"
        popoverTarget={PANEL}
        onClick={onShare}
        className={`${buttonStyle.outline} max-sm:px-3 [anchor-name:--share]`}
      >
        <Icon name="share" className="size-4.5" />
        <span className="max-sm:sr-only">{d.share}</span>
      </button>
      <button
        type="button"
        onClick={() => print()}
        className={`${buttonStyle.outline} max-sm:px-3 noscript:hidden`}
      >
        <Icon name="print" className="size-4.5" />
        <span className="max-sm:sr-only">{d.print}</span>
      </button>
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
