import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { detailMessages } from "../detail-messages.ts";
import { useCopied } from "./use-copied.ts";

/** The reference, to read out on the telephone or to take along. */
export function CopyReference({ reference }: { reference: string }) {
  const d = useMessages(detailMessages);
  const [copied, copy] = useCopied();
  return (
    <span className="inline-flex items-center gap-1">
      {d.reference} <strong className="font-semibold text-ink">{reference}</strong>
      <button
        type="button"
        // Not words in it: while the photographs lie over the page, only what is read out is left of them.
        aria-label={copied ? d.copied : d.copyReference}
        onClick={() => copy(reference)}
        className="inline-flex min-h-9 items-center gap-1.5 rounded-full px-2 text-ink hover:bg-sunk noscript:hidden print:hidden"
      >
        {copied ? (
          <Icon name="check" className="size-4.5" />
        ) : (
          <Icon name="copy" className="size-4.5" />
        )}
        {/* The word has its width before it is said, so that what follows stays where it is. */}
        <span data-word={d.copied} className="reserved-word text-sm font-medium">
          <span aria-live="polite">{copied ? d.copied : ""}</span>
        </span>
      </button>
    </span>
  );
}
