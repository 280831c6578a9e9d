import { useQuery } from "@tanstack/react-query";
import {
  type FocusEvent,
  type FormEvent,
  type ToggleEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useLocation, useNavigationType } from "react-router";
import type { PropertyCardList } from "#app/lib/api/types.ts";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useLeaving } from "#app/lib/browser/use-leaving.ts";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { useRouter } from "#app/lib/browser/use-router.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { addressAhead, searchAt } from "#app/lib/search/ahead.ts";
import { searchQuery } from "#app/lib/search/queries.ts";
import {
  parseSearch,
  type Search,
  searchFields,
  searchPath,
} from "#app/lib/search/search-params.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { ClosePanel } from "#app/ui/close-panel.tsx";
import {
  carriedOn,
  FilterFieldsContext,
  filledIn,
  NO_DRAFT,
  type Sent,
  settle,
  withoutSent,
} from "./filter-draft.ts";
import { FilterGroups } from "./filter-groups.tsx";
import { filterMessages } from "./filter-messages.ts";
import { isOfHomes, searchMessages } from "./messages.ts";
import { FILTERS_FORM, FILTERS_PANEL } from "./panel.ts";
import { fieldsIn, useSearchStep } from "./submit.ts";
import { resolved } from "./understood.ts";
import { useChipHeir } from "./use-chip-heir.ts";

interface FiltersProps {
  /** What is searched, with what was understood of its words. */
  search: Search;
  list: PropertyCardList;
}

/**
 * What narrows the list: one form. As a column each choice applies at once; as a panel over the
 * list, which small screens and the map have, its button tells how many homes there would be. It is a
 * popover and not the kit's sheet: it opens without a script, and is the column's own form.
 */
export default function Filters({ search, list: drawn }: FiltersProps) {
  const locale = useLocale();
  const t = useMessages(searchMessages);
  const f = useMessages(filterMessages);
  const step = useSearchStep();
  const isHydrated = useHydrated();
  const panel = useRef<HTMLElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(NO_DRAFT);
  const after = useRef(0);
  const { key, pathname, search: query } = useLocation();
  const type = useNavigationType();
  const router = useRouter();
  // What was on its way when the panel was opened.
  const before = useRef<string>(undefined);
  // The address whose list is shown.
  const shown = useRef(pathname + query);
  // What is on its way to the address, the oldest first.
  const sent = useRef<readonly Sent[]>([]);
  const wordsAsked = useRef(search.q);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What the open panel would show, and the list does not yet.
  const [ahead, setAhead] = useState<Search>();
  const { data } = useQuery({
    ...searchQuery(locale, ahead ?? search),
    enabled: ahead !== undefined,
    placeholderData: (previous) => previous,
  });
  const results = (ahead && data?.body) ?? drawn;
  const asked = searchFields(search);
  const fields = {
    values: (name: string) => draft.get(name) ?? asked.getAll(name),
    change: (name: string, values: readonly string[], wait: number) => {
      after.current = wait;
      setDraft((before) => new Map(before).set(name, values));
    },
  };

  /** What the form asks for, and of which list: on from one that is on its way, which a step here calls off. */
  const searchIn = (form: HTMLFormElement) => {
    const own = parseSearch(fieldsIn(form));
    const fields = searchFields(own);
    const address = router && addressAhead(router.state, key);
    const coming = address && searchAt(address);
    if (!coming) return { list: search, chosen: own, fields };
    // Of the same words the same is understood.
    const isOfWords = coming.q === new URLSearchParams(query).get("q");
    const list = isOfWords ? resolved(coming, drawn) : coming;
    const path = address.pathname + address.search;
    const before = sent.current.findLast((each) => each.path === path)?.fields ?? asked;
    const next = carriedOn(searchFields(list), before, fields, sent.current.at(-1)?.fields);
    return { list, chosen: { ...parseSearch(next), page: 1 }, fields };
  };
  const isSame = (list: Search, chosen: Search) =>
    searchPath(chosen) === searchPath({ ...list, page: 1 });
  const isOpen = () => panel.current?.matches(":popover-open");
  const send = (form: HTMLFormElement, stay: boolean) => {
    const { list, chosen, fields } = searchIn(form);
    // What is under way would still arrive, and undo what brings the form back to what is asked.
    if (isSame(list, chosen) && sent.current.length === 0) return setDraft(NO_DRAFT);
    const path = localizedPath(locale, searchPath(chosen));
    sent.current = [...sent.current, { path, fields, draft, words: wordsOf(form).value }];
    step(chosen, stay);
  };
  const apply = useEffectEvent(() => {
    // What was changed in a panel that is closed again is forgotten; its words are left as it closes.
    if (!form.current?.checkVisibility()) return setDraft(NO_DRAFT);
    if (!isOpen()) return send(form.current, true);
    const { chosen } = searchIn(form.current);
    setAhead(isSame(search, chosen) ? undefined : chosen);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const inPanel = isOpen();
    send(event.currentTarget, !inPanel);
    if (inPanel) panel.current?.hidePopover();
  };
  /** Words count when their field is left; a button that sends them does so itself. */
  const leave = (event: FocusEvent<Element, Element>) => {
    const sends = event.relatedTarget?.matches("[type=submit]");
    if (event.target.matches("[name=q]") && !sends) apply();
  };

  const takeOver = useEffectEvent(() => {
    if (form.current) setDraft(filledIn(form.current, asked));
  });
  // Before the hydrated page renders again, which would empty the fields until the draft is there.
  useLayoutEffect(() => takeOver(), []);
  useEffect(() => {
    if (draft === NO_DRAFT) return;
    waiting.current = setTimeout(() => apply(), after.current);
    return () => clearTimeout(waiting.current);
  }, [draft]);
  useLeaving(() => clearTimeout(waiting.current));
  useChipHeir();
  // React tells of what is folded within it too.
  const opens = ({ target, currentTarget, newState }: ToggleEvent) => {
    if (target !== currentTarget || newState !== "open") return;
    before.current = router?.state.navigation.location?.key;
  };
  const closed = ({ target, currentTarget, newState }: ToggleEvent) => {
    if (target !== currentTarget || newState === "open") return;
    setDraft(NO_DRAFT);
    // What was sent waits for that very answer.
    if (sent.current.length === 0) setAhead(undefined);
  };
  useNavigated(() => {
    const address = pathname + query;
    const isOther = address !== shown.current;
    shown.current = address;
    const { settled, underWay } = settle(sent.current, address);
    sent.current = underWay;
    setDraft((before) => withoutSent(before, settled));
    const words = form.current && wordsOf(form.current);
    // Words that are being written stay; those that were sent may have become filters.
    const known = [wordsAsked.current, ...settled.map((each) => each.words)];
    if (words && [...known, words.defaultValue].includes(words.value)) words.value = search.q;
    wordsAsked.current = search.q;
    if (!isOpen()) return setAhead(undefined);
    // A step of the map, or one from before the panel was opened, takes nothing out of the hand; a link to this
    // very list replaces it too.
    if ((type === "REPLACE" && isOther) || key === before.current) apply();
    else panel.current?.hidePopover();
  });

  return (
    <section
      ref={panel}
      id={FILTERS_PANEL}
      popover="auto"
      onBeforeToggle={opens}
      onToggle={closed}
      aria-label={t.filters}
      className={search.view === "map" ? "panel drawer" : "panel column-panel"}
    >
      <div className="panel-head sticky top-0 z-10 flex h-16 items-center justify-between border-b border-line bg-canvas px-5">
        <h2 className="text-xl">{t.filters}</h2>
        <ClosePanel panel={FILTERS_PANEL} label={f.closeFilters} />
      </div>
      <form
        ref={form}
        id={FILTERS_FORM}
        action={localizedPath(locale, "/property-for-sale")}
        method="get"
        autoComplete="off"
        onSubmit={submit}
        onBlur={leave}
        className="panel-body flex flex-col gap-7"
      >
        <FilterFieldsContext value={fields}>
          <FilterGroups search={search} facets={results.facets} />
        </FilterFieldsContext>
        {(["bbox", "area"] as const).map((name) => (
          <input key={name} type="hidden" name={name} value={search[name] ?? ""} />
        ))}
        <input type="hidden" name="view" value={search.view === "map" ? "map" : ""} />
        <div className="panel-foot border-t border-line bg-canvas">
          <button type="submit" className={`${buttonStyle.primary} w-full`}>
            <span aria-live="polite">
              {/* Before, the number would not follow what is ticked. */}
              {isHydrated
                ? f.showCount(
                    formatNumber(locale, results.total),
                    results.total,
                    isOfHomes(ahead ?? search, results.facets),
                  )
                : f.show}
            </span>
          </button>
        </div>
      </form>
    </section>
  );
}

/** The field for words, which is the type-ahead's to write in. */
function wordsOf(form: HTMLFormElement): HTMLInputElement {
  return form.elements.namedItem("q") as HTMLInputElement;
}
