import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { detailMessages } from "../detail-messages.ts";
import { useCopied } from "./use-copied.ts";

/** The reference, with a button to copy it. */
export function CopyReference({ reference }: { reference: string }) {
  const d = useMessages(detailMessages);
  const [copied, copy] = useCopied();
  const isHydrated = useHydrated();
  return (
    <span className="inline-flex items-center gap-1">
      {`${d.reference} `}
      <strong className="font-semibold text-ink">{reference}</strong>
      <button
        type="button"
        // A label, not text in the button: while the lightbox covers the page, only live regions stay exposed.
        aria-label={copied ? d.copied : d.copyReference}
        onClick={() => copy(reference)}
        className="relative inline-flex min-h-9 items-center rounded-full px-2 text-ink hover:bg-sunk noscript:hidden print:hidden"
      >
        {copied ? (
          <Icon name="check" className="size-4.5" />
        ) : (
          <Icon name="copy" className="size-4.5" />
        )}
        {/* Positioned above the button, so that nothing moves. */}
        {isHydrated ? (
          <span
            aria-live="polite"
            className="absolute -top-3 left-1/2 -translate-x-1/2 text-xs leading-none font-medium"
          >
            {copied ? d.copied : ""}
          </span>
        ) : null}
      </button>
    </span>
  );
}
