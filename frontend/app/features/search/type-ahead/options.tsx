import { Autocomplete } from "@base-ui/react/autocomplete";
import type { Ref } from "react";
import { isPlainClick } from "#app/lib/browser/is-plain-click.ts";
import { formatNumber, formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { typeAheadMessages } from "./messages.ts";
import type { Suggestion } from "./use-options.ts";

interface OptionsProps {
  ref: Ref<HTMLDivElement>;
  options: readonly Suggestion[];
  recent: boolean;
  /** Returns whether it has navigated itself, so that the link must not be followed. */
  onChoose: (option: Suggestion) => boolean;
  onRemove: (option: Suggestion) => void;
  onForget: () => void;
  /** Called when the focus moves from the list to another element, or to none. */
  onLeave: (target: EventTarget | null) => void;
}

/** The style of the panel below the field. */
export const PANEL =
  "absolute inset-x-0 top-full z-30 mt-2 lg:min-w-96 rounded-3xl border border-line bg-surface text-left shadow-xl shadow-[var(--shadow)]";

/** The list below the field. Its options are links, so that they can be opened in a new tab. */
export function Options({
  ref,
  options,
  recent,
  onChoose,
  onRemove,
  onForget,
  onLeave,
}: OptionsProps) {
  const t = useMessages(typeAheadMessages);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only prevents a loss of focus
    <div
      ref={ref}
      // A press in the list must not move the focus out of the text field.
      onMouseDown={(event) => event.preventDefault()}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave(relatedTarget);
      }}
      className={`${PANEL} flex flex-col p-2`}
    >
      {recent ? (
        <p aria-hidden="true" className="px-3 pt-1 pb-1.5 text-sm font-semibold text-muted">
          {t.recent}
        </p>
      ) : null}
      <Autocomplete.List
        aria-label={recent ? t.recent : t.suggestions}
        className="option-list outline-none"
      >
        {options.map((option) => (
          <OptionRow
            key={`${option.kind} ${option.url} ${option.label}`}
            option={option}
            onChoose={onChoose}
            onRemove={recent ? onRemove : undefined}
          />
        ))}
      </Autocomplete.List>
      {recent ? (
        <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 border-t border-line px-3 pt-1 text-sm text-muted">
          {t.onlyHere}
          <button type="button" onClick={onForget} className="text-link min-h-11 text-ink">
            {t.forget}
          </button>
        </p>
      ) : null}
    </div>
  );
}

interface OptionRowProps {
  option: Suggestion;
  onChoose: (option: Suggestion) => boolean;
  onRemove: ((option: Suggestion) => void) | undefined;
}

function OptionRow({ option, onChoose, onRemove }: OptionRowProps) {
  const t = useMessages(typeAheadMessages);
  const detail = useDetail(option);
  return (
    <div className="flex items-center">
      <Autocomplete.Item
        value={option}
        onClick={(event) => {
          if (isPlainClick(event) && onChoose(option)) event.preventDefault();
        }}
        render={(attributes, { highlighted }) => (
          <Link
            {...attributes}
            to={option.url}
            tabIndex={-1}
            aria-selected={highlighted}
            className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-2xl px-3 py-2 hover:bg-sunk aria-selected:bg-sun aria-selected:text-on-sun sm:min-h-11"
          />
        )}
      >
        {option.image ? (
          <Picture
            picture={{ ...option.image, alt: "" }}
            sizes="3rem"
            widths={THUMB_WIDTHS}
            className="h-9 w-12 shrink-0 rounded-lg object-cover"
          />
        ) : (
          <OptionIcon kind={option.kind} />
        )}
        <span className="line-clamp-2 min-w-0 flex-1 leading-snug">{option.label}</span>
        {detail ? <span className="shrink-0 text-sm tabular-nums opacity-80">{detail}</span> : null}
      </Autocomplete.Item>
      {onRemove ? (
        // Keyboard users remove an option with Delete, and screen reader users clear the list with the
        // button below it.
        <button
          type="button"
          aria-hidden="true"
          tabIndex={-1}
          title={t.remove(option.label)}
          onClick={() => onRemove(option)}
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted hover:bg-sunk hover:text-ink"
        >
          <Icon name="close" className="size-4" />
        </button>
      ) : null}
    </div>
  );
}

/** The pictures are 3rem wide, on screens with up to three device pixels per CSS pixel. */
const THUMB_WIDTHS = [160] as const;

/** Returns the number of homes of an option, the price of a home, or the kind of the option. */
function useDetail({ kind, count, homes = true, price }: Suggestion): string | undefined {
  const locale = useLocale();
  const t = useMessages(typeAheadMessages);
  if (count != null) return t.count(formatNumber(locale, count), count === 1, homes);
  if (price != null) return formatPrice(locale, price);
  switch (kind) {
    case "location":
    case "reference":
    case "type":
    case "feature":
    case "search":
      return t[kind];
    case "property":
      return homes ? t.property : t.noHome;
    default:
      return undefined;
  }
}

function OptionIcon({ kind }: { kind: Suggestion["kind"] }) {
  const className = "size-5 shrink-0 opacity-70";
  switch (kind) {
    case "location":
      return <Icon name="pin" className={className} />;
    case "recent":
      return <Icon name="clock" className={className} />;
    case "type":
    case "feature":
      return <Icon name="tag" className={className} />;
    case "reference":
    case "property":
      return <Icon name="house" className={className} />;
    default:
      return <Icon name="search" className={className} />;
  }
}
