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
import { addToSearch } from "./add-to-search.ts";
import { typeAheadMessages } from "./messages.ts";
import { Options, PANEL } from "./options.tsx";
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from "./recent-searches.ts";
import { type Suggestion, useOptions } from "./use-options.ts";

export interface TypeAheadProps {
  input: HTMLInputElement;
  /** Gets what makes the input a combobox, whenever that changes. */
  onCombobox: (attributes: ComponentProps<"input">) => void;
}

/**
 * Completes what is typed in `input`, whose list is drawn here, while the focus stays in the text. Base
 * UI keeps its keys and its ARIA; only what a list of links and of what was searched before has besides
 * is ours.
 */
export default memo(function TypeAhead({ input, onCombobox }: TypeAheadProps): ReactNode {
  const locale = useLocale();
  const t = useMessages(typeAheadMessages);
  const navigate = useNavigate();
  const panel = useRef<HTMLDivElement>(null);
  const [text, setText] = useState(input.value);
  const [recent, setRecent] = useState(recentSearches);
  const [open, setOpen] = useState(() => isWaiting(input));
  const highlighted = useRef<Suggestion>(undefined);
  // With each round the keyboard stands in the text again.
  const [round, setRound] = useState(0);
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
  // To who sees the page an empty place would look like a list that failed.
  const isToldOfNone = open && kind === "suggested" && count === 0 && status === t.none;

  const show = () => {
    setText(input.value);
    setRecent(recentSearches());
    setOpen(true);
  };
  const standInText = () => {
    highlighted.current = undefined;
    setRound((before) => before + 1);
  };
  const close = () => {
    setOpen(false);
    standInText();
  };
  const remove = ({ label, url }: Suggestion) => {
    forgetSearch({ label, url });
    setRecent(recentSearches());
  };
  const choose = (option: Suggestion): boolean => {
    close();
    if (option.kind !== "property") rememberSearch(option.label, option.url);
    const form = input.form;
    // A recent search is whole by itself; a suggestion joins what the form has chosen already.
    const address =
      form && option.kind !== "recent" ? addToSearch(fieldsOf(form), option.url) : undefined;
    // What was typed to find it is not what is searched for.
    input.value = input.defaultValue;
    if (address) navigate(localizedPath(locale, address));
    return address !== undefined;
  };

  const onKeyDown = (event: BaseUIEvent<KeyboardEvent<HTMLInputElement>>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    const spend = () => {
      event.preventDefault();
      event.preventBaseUIHandler();
    };
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        if (expanded && !event.altKey) return;
        if (event.altKey && event.key === "ArrowUp") close();
        else show();
        return spend();
      case "Escape":
        if (expanded || isToldOfNone) close();
        else if (input.value === "") return;
        else {
          input.value = "";
          setText("");
        }
        return spend();
      case "Delete":
        if (!expanded || kind !== "recent" || !highlighted.current) return;
        remove(highlighted.current);
        return spend();
      case "Home":
      case "End":
      case "ArrowLeft":
      case "ArrowRight":
        // The text's own keys lead back to it.
        if (highlighted.current) standInText();
        return event.preventBaseUIHandler();
    }
  };

  const onSubmit = useEffectEvent(() => {
    const q = input.value.trim();
    // A form that is sent for another field's sake is no new search for these words.
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
    if (expanded && panel.current) fitIn(panel.current, input);
  }, [input, expanded]);

  return (
    <>
      <Autocomplete.Root
        key={round}
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
            <Lend attributes={attributes} expanded={expanded} to={onCombobox} />
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
      <p role="status" className={isToldOfNone ? `${PANEL} px-5 py-4 text-muted` : "sr-only"}>
        {status}
      </p>
    </>
  );
});

interface LendProps {
  attributes: ComponentProps<"input">;
  expanded: boolean;
  to: (attributes: ComponentProps<"input">) => void;
}

/**
 * Hands a combobox's attributes to the input that was there before it. What is typed stays the input's
 * own, and a list that is not drawn is not said to be there.
 */
function Lend({ attributes, expanded, to }: LendProps) {
  useLayoutEffect(() => {
    const { value: _, id: __, ...rest } = attributes;
    to(expanded ? rest : { ...rest, "aria-expanded": false, "aria-controls": undefined });
  });
  return null;
}

const MIN_HEIGHT = 200;
const COMFORTABLE_HEIGHT = 300;

/** Keeps the list within what is in sight above a telephone's keyboard. */
function fitIn(list: HTMLElement, input: HTMLInputElement): void {
  const room = () =>
    (visualViewport?.height ?? innerHeight) - list.getBoundingClientRect().top - 12;
  if (room() < COMFORTABLE_HEIGHT && matchMedia("(width < 40rem)").matches) {
    input.labels?.[0]?.scrollIntoView({ block: "start" });
  }
  list.style.maxHeight = `${Math.max(MIN_HEIGHT, room())}px`;
}

/** Whether who came to the field while this script was on its way awaits its list. */
function isWaiting(input: HTMLInputElement): boolean {
  const changed = input.value !== input.defaultValue;
  return document.activeElement === input && (changed || input.value === "");
}

/** The fields of a form as an address has them. */
function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value !== "") fields.append(name, value);
  }
  return fields;
}

/** The last text that was said when everything had come to rest: what is on its way is not read out. */
function useSettled(settled: boolean, text: string): string {
  const [announced, announce] = useState("");
  useEffect(() => {
    if (settled) announce(text);
  }, [settled, text]);
  return announced;
}
