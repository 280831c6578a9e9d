import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { parseSearch, searchPath } from "../search-params.ts";
import { addToSearch } from "./add-to-search.ts";
import { CLOSED, type Combobox, pressKey } from "./combobox.ts";
import { typeAheadMessages } from "./messages.ts";
import { Options } from "./options.tsx";
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from "./recent-searches.ts";
import { type Option, useOptions } from "./use-options.ts";

/**
 * Completes what is typed in `input`, which becomes a combobox: its list is drawn here, while the
 * focus stays in the text.
 */
export default function TypeAhead({ input }: { input: HTMLInputElement }): ReactNode {
  const locale = useLocale();
  const t = useMessages(typeAheadMessages);
  const navigate = useNavigate();
  const list = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [text, setText] = useState(input.value);
  const [recent, setRecent] = useState(recentSearches);
  const [box, setBox] = useState<Combobox>({ open: isWaiting(input), active: -1 });
  const { options, kind, settled } = useOptions(text, recent, box.open);
  const shown = box.open && options.length > 0;
  const optionId = (index: number) => `${list}-${index}`;

  const open = () => {
    setText(input.value);
    setRecent(recentSearches());
    setBox({ open: true, active: -1 });
  };
  const close = () => setBox(CLOSED);
  const remove = ({ label, url }: Option) => {
    forgetSearch({ label, url });
    setRecent(recentSearches());
  };
  const choose = (option: Option): boolean => {
    close();
    if (option.kind !== "property") rememberSearch(option.label, option.url);
    const form = input.form;
    // A recent search is whole by itself; a suggestion joins what the form has chosen already.
    const address =
      form && option.kind !== "recent" ? addToSearch(fieldsOf(form), option.url) : undefined;
    if (address) {
      // What was typed to find it is not what is searched for.
      input.value = input.defaultValue;
      navigate(localizedPath(locale, address));
    }
    return address !== undefined;
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const { state, effect, spent } = pressKey(box, event, {
      options: options.length,
      removable: kind === "recent",
      empty: input.value === "",
    });
    if (spent) event.preventDefault();
    const option = options[box.active];
    if (effect === "choose") document.getElementById(optionId(box.active))?.click();
    if (effect === "remove" && option) remove(option);
    if (effect === "clear") input.value = "";
    if (state.open && !box.open) open();
    if (effect === "clear") setText("");
    setBox(state);
  });
  const onInput = useEffectEvent(open);
  const onListening = useEffectEvent(() => {
    // Letters may come between the first drawing and the first listening.
    if (input.value !== text) open();
  });
  const onClick = useEffectEvent(() => {
    if (!box.open) open();
  });
  const onFocus = useEffectEvent(() => {
    if (input.value === "") open();
  });
  const onBlur = useEffectEvent(({ relatedTarget }: FocusEvent) => {
    if (!popup.current?.contains(relatedTarget as Node | null)) close();
  });
  const onSubmit = useEffectEvent(() => {
    const q = input.value.trim();
    // A form that is sent for another field's sake is no new search for these words.
    if (q && q !== input.defaultValue)
      rememberSearch(q, searchPath(parseSearch(new URLSearchParams({ q }))));
    close();
  });

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    input.addEventListener("keydown", (event) => onKeyDown(event), { signal });
    input.addEventListener("input", () => onInput(), { signal });
    input.addEventListener("click", () => onClick(), { signal });
    input.addEventListener("focus", () => onFocus(), { signal });
    input.addEventListener("blur", (event) => onBlur(event), { signal });
    input.form?.addEventListener("submit", () => onSubmit(), { signal });
    onListening();
    return () => stop.abort();
  }, [input]);

  useEffect(() => {
    const active = shown && box.active >= 0 ? `${list}-${box.active}` : undefined;
    describe(input, {
      role: "combobox",
      autocomplete: "off",
      "aria-autocomplete": "list",
      "aria-expanded": String(shown),
      "aria-controls": shown ? list : undefined,
      "aria-activedescendant": active,
    });
    if (active) document.getElementById(active)?.scrollIntoView({ block: "nearest" });
  }, [input, list, shown, box.active]);

  useEffect(() => {
    if (shown && popup.current) fitIn(popup.current, input);
  }, [input, shown]);

  const count = options.length;
  const status = useSettled(
    settled,
    !box.open || !kind
      ? ""
      : kind === "recent"
        ? count > 0
          ? t.foundRecent(count)
          : ""
        : count > 0
          ? t.found(count)
          : t.none,
  );
  return (
    <>
      {shown ? (
        <Options
          ref={popup}
          id={list}
          optionId={optionId}
          options={options}
          active={box.active}
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
      <p role="status" className="sr-only">
        {status}
      </p>
    </>
  );
}

const LEAST_HEIGHT = 200;
const COMFORTABLE_HEIGHT = 300;
const MOST_HEIGHT = 416;

/** Keeps the list within what is in sight above a telephone's keyboard. */
function fitIn(list: HTMLElement, input: HTMLInputElement): void {
  const room = () =>
    (visualViewport?.height ?? innerHeight) - list.getBoundingClientRect().top - 12;
  if (room() < COMFORTABLE_HEIGHT && matchMedia("(width < 40rem)").matches) {
    input.labels?.[0]?.scrollIntoView({ block: "start" });
  }
  list.style.maxHeight = `${Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, room()))}px`;
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

function describe(element: Element, attributes: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

/** The last text that was said when everything had come to rest: what is on its way is not read out. */
function useSettled(settled: boolean, text: string): string {
  const [said, say] = useState("");
  useEffect(() => {
    if (settled) say(text);
  }, [settled, text]);
  return said;
}
