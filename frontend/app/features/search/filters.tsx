import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from "react";
import type { PropertyList } from "#app/lib/api/types.ts";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { ClosePanel } from "#app/ui/close-panel.tsx";
import { FilterGroups } from "./filter-groups.tsx";
import { filterMessages } from "./filter-messages.ts";
import { searchMessages } from "./messages.ts";
import { FILTERS_FORM, FILTERS_PANEL } from "./panel.ts";
import { searchQuery } from "./queries.ts";
import { type Search, searchFields, searchPath } from "./search-params.ts";
import { searchIn, useSearchStep } from "./submit.ts";

/** How long a number that is being written, or a thumb that is being pulled, may rest before it counts. */
const WRITING_MS = 400;

interface FiltersProps {
  /** What is searched, with what was understood of its words. */
  search: Search;
  total: number;
  facets: PropertyList["facets"];
}

/**
 * What narrows the list: one form. As a column each choice applies at once; as a panel over the
 * list, which small screens and the map have, its button tells how many homes there would be.
 */
export function Filters({ search, total, facets }: FiltersProps) {
  const locale = useLocale();
  const t = useMessages(searchMessages);
  const f = useMessages(filterMessages);
  const step = useSearchStep();
  const panel = useRef<HTMLElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What the open panel says and the list does not yet.
  const [draft, setDraft] = useState<Search>();
  const [round, setRound] = useState(0);
  const ahead = useQuery({
    ...searchQuery(locale, draft ?? search),
    enabled: draft !== undefined,
    placeholderData: (previous) => previous,
  });
  const shown = (draft && ahead.data?.body) ?? { total, facets };

  const isOpen = () => panel.current?.matches(":popover-open") ?? false;
  const apply = () => {
    if (!form.current) return;
    const said = searchIn(form.current);
    const same = searchPath(said) === searchPath({ ...search, page: 1 });
    if (isOpen()) setDraft(same ? undefined : said);
    else if (!same) step(said, { stay: true });
  };
  const change = (event: ChangeEvent<HTMLFormElement>) => {
    const field: EventTarget = event.target;
    clearTimeout(timer.current);
    if (!(field instanceof HTMLInputElement) || field.type === "checkbox") {
      timer.current = setTimeout(apply);
      // Words are sent when they are complete.
    } else if (field.name !== "q") timer.current = setTimeout(apply, WRITING_MS);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    clearTimeout(timer.current);
    const said = searchIn(event.currentTarget);
    const inPanel = isOpen();
    if (inPanel) panel.current?.hidePopover();
    if (searchPath(said) !== searchPath({ ...search, page: 1 })) step(said, { stay: !inPanel });
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  const taken = useRef(false);
  useEffect(() => {
    if (taken.current || !form.current) return;
    taken.current = true;
    // What was ticked before the script came counts too, but not in a panel that is closed again.
    if (panel.current?.checkVisibility()) apply();
    else showInFields(form.current, search);
  });
  useEffect(() => {
    // What was changed in a panel and not asked for is forgotten when it closes.
    const element = panel.current;
    const forget = (event: Event) => {
      if ((event as ToggleEvent).newState !== "closed") return;
      clearTimeout(timer.current);
      setDraft(undefined);
      setRound((before) => before + 1);
    };
    element?.addEventListener("toggle", forget);
    return () => element?.removeEventListener("toggle", forget);
  }, []);
  useNavigated(() => {
    if (isOpen()) panel.current?.hidePopover();
    if (form.current) showInFields(form.current, search);
  });

  return (
    <section
      ref={panel}
      id={FILTERS_PANEL}
      popover="auto"
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
        onChange={change}
        className="panel-body flex flex-col gap-7"
      >
        <FilterGroups key={round} search={search} facets={shown.facets} />
        {(["bbox", "area"] as const).map((name) => (
          <input key={name} type="hidden" name={name} value={search[name] ?? ""} />
        ))}
        <input type="hidden" name="view" value={search.view === "map" ? "map" : ""} />
        <div className="panel-foot border-t border-line bg-canvas">
          <button type="submit" className={`${buttonStyle.primary} w-full`}>
            <span aria-live="polite" className="no-script:hidden">
              {f.showCount(formatNumber(locale, shown.total), shown.total)}
            </span>
            {/* Without a script the number would not follow what is ticked. */}
            <span className="hidden no-script:inline">{f.show}</span>
          </button>
        </div>
      </form>
    </section>
  );
}

/** What the address says is what the fields show: after a chip, a page back or a link too. */
function showInFields(form: HTMLFormElement, search: Search): void {
  const values = searchFields(search);
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && field.type === "checkbox") {
      field.checked = values.getAll(field.name).includes(field.value);
    } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      // A thumb has no name of its own: it follows what is written in its field.
      if (field.name !== "") field.value = values.get(field.name) ?? "";
    }
  }
}
