import { Autocomplete } from "@base-ui/react/autocomplete";
import type { BaseUIEvent } from "@base-ui/react/types";
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useNavigate } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { parseSearch, searchPath } from "#app/lib/search/search-params.ts";
import { searchParamsOf } from "../submit.ts";
import { addToSearch } from "./add-to-search.ts";
import { typeAheadMessages } from "./messages.ts";
import { Options, PANEL } from "./options.tsx";
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from "./recent-searches.ts";
import { type Suggestion, useOptions } from "./use-options.ts";

export interface TypeAheadProps {
  input: HTMLInputElement;
  /** Called with the attributes that make the input a combobox, whenever they change. */
  onCombobox: (attributes: ComponentProps<"input">) => void;
}

/**
 * Completes the text that is typed in `input`, and renders its list. The focus stays in the input. Base UI
 * handles its keys and ARIA attributes; only what a list of links and of recent searches needs besides is
 * handled here.
 */
export default memo(function TypeAhead({ input, onCombobox }: TypeAheadProps): ReactNode {
  const locale = useLocale();
  const t = useMessages(typeAheadMessages);
  const navigate = useNavigate();
  const panel = useRef<HTMLDivElement>(null);
  const [text, setText] = useState(input.value);
  const [recent, setRecent] = useState(recentSearches);
  const [open, setOpen] = useState(() => opensAtOnce(input));
  const highlighted = useRef<Suggestion>(undefined);
  // A new key remounts Base UI's root, which clears the highlight and returns the keys to the text.
  const [resetKey, setResetKey] = useState(0);
  const { options, kind, settled } = useOptions(text, recent, open);
  const count = options.length;
  const expanded = open && count > 0;
  const status = useSettled(
    settled,
    !open || !kind
      ? ""
      : kind === "recent"
        ? count > 0
          ? t.foundRecent(count)
          : ""
        : count > 0
          ? t.found(count)
          : t.none,
  );
  // Sighted visitors see the message too: an empty area would look like a list that failed.
  const showsNone = open && kind === "suggested" && count === 0 && status === t.none;

  const show = () => {
    setText(input.value);
    setRecent(recentSearches());
    setOpen(true);
  };
  const returnToText = () => {
    highlighted.current = undefined;
    setResetKey((before) => before + 1);
  };
  const close = () => {
    setOpen(false);
    returnToText();
  };
  const remove = ({ label, url }: Suggestion) => {
    forgetSearch({ label, url });
    setRecent(recentSearches());
  };
  const choose = (option: Suggestion): boolean => {
    close();
    if (option.kind !== "property") rememberSearch(option.label, option.url);
    const form = input.form;
    // A recent search is complete. A suggestion is combined with the other fields of the form.
    const address =
      form && option.kind !== "recent" ? addToSearch(searchParamsOf(form), option.url) : undefined;
    // The text was typed to find the option, and is not part of the search.
    input.value = input.defaultValue;
    if (address) navigate(localizedPath(locale, address));
    return address !== undefined;
  };

  const onKeyDown = (event: BaseUIEvent<KeyboardEvent<HTMLInputElement>>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const consume = () => {
      event.preventDefault();
      event.preventBaseUIHandler();
    };
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        if (expanded && !event.altKey) return;
        if (event.altKey && event.key === "ArrowUp") close();
        else show();
        return consume();
      case "Escape":
        if (expanded || showsNone) close();
        else if (input.value === "") return;
        else {
          input.value = "";
          setText("");
        }
        return consume();
      case "Delete":
        if (!expanded || kind !== "recent" || !highlighted.current) return;
        remove(highlighted.current);
        return consume();
      case "Home":
      case "End":
      case "ArrowLeft":
      case "ArrowRight":
        // Keys that move the caret return from the list to the text.
        if (highlighted.current) returnToText();
        return event.preventBaseUIHandler();
    }
  };

  const onSubmit = useEffectEvent(() => {
    const q = input.value.trim();
    // If only another field has changed, this is no new search for the text.
    if (q && q !== input.defaultValue)
      rememberSearch(q, searchPath(parseSearch(new URLSearchParams({ q }))));
    close();
  });
  useEffect(() => {
    const stop = new AbortController();
    input.form?.addEventListener("submit", () => onSubmit(), { signal: stop.signal });
    return () => stop.abort();
  }, [input]);
  useEffect(() => {
    if (expanded && panel.current) fitHeight(panel.current, input);
  }, [input, expanded]);

  return (
    <>
      <Autocomplete.Root
        key={resetKey}
        inline
        open
        items={options}
        filter={null}
        itemToStringValue={({ label }) => label}
        highlightItemOnHover={false}
        onItemHighlighted={(option) => {
          highlighted.current = option;
        }}
        value={text}
        onValueChange={show}
      >
        <Autocomplete.Input
          onKeyDown={onKeyDown}
          onClick={() => {
            if (!open) show();
          }}
          onFocus={() => {
            if (input.value === "") show();
          }}
          onBlur={({ relatedTarget }) => {
            if (!panel.current?.contains(relatedTarget)) close();
          }}
          render={(attributes) => (
            <PassAttributes attributes={attributes} expanded={expanded} to={onCombobox} />
          )}
        />
        {expanded ? (
          <Options
            ref={panel}
            options={options}
            recent={kind === "recent"}
            onChoose={choose}
            onRemove={remove}
            onForget={() => {
              forgetSearches();
              setRecent([]);
              input.focus();
            }}
            onLeave={(target) => {
              if (target !== input) close();
            }}
          />
        ) : null}
      </Autocomplete.Root>
      <p role="status" className={showsNone ? `${PANEL} px-5 py-4 text-muted` : "sr-only"}>
        {status}
      </p>
    </>
  );
});

interface PassAttributesProps {
  attributes: ComponentProps<"input">;
  expanded: boolean;
  to: (attributes: ComponentProps<"input">) => void;
}

/**
 * Passes the attributes of Base UI's combobox to the input, which existed before it. The input keeps its
 * own value, and a list that is not rendered is not announced.
 */
function PassAttributes({ attributes, expanded, to }: PassAttributesProps) {
  useLayoutEffect(() => {
    const { value: _, id: __, ...rest } = attributes;
    to(expanded ? rest : { ...rest, "aria-expanded": false, "aria-controls": undefined });
  });
  return null;
}

const MIN_HEIGHT = 200;
const COMFORTABLE_HEIGHT = 300;

/** Limits the height of the list to the visible area above a phone's keyboard. */
function fitHeight(list: HTMLElement, input: HTMLInputElement): void {
  const available = () =>
    (visualViewport?.height ?? innerHeight) - list.getBoundingClientRect().top - 12;
  if (available() < COMFORTABLE_HEIGHT && matchMedia("(width < 40rem)").matches) {
    input.labels?.[0]?.scrollIntoView({ block: "start" });
  }
  list.style.maxHeight = `${Math.max(MIN_HEIGHT, available())}px`;
}

/** Whether the list opens at once: the visitor focused or changed the field while this script was loading. */
function opensAtOnce(input: HTMLInputElement): boolean {
  const changed = input.value !== input.defaultValue;
  return document.activeElement === input && (changed || input.value === "");
}

/**
 * Returns the text as of the last time that the options were settled, so that interim states are not read
 * out.
 */
function useSettled(settled: boolean, text: string): string {
  const [settledText, setSettledText] = useState("");
  useEffect(() => {
    if (settled) setSettledText(text);
  }, [settled, text]);
  return settledText;
}
