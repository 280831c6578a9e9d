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
import { formatNumber } from "#app/lib/format/format.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useRouter } from "#app/lib/router-internals/use-router.ts";
import { searchQuery } from "#app/lib/search/queries.ts";
import { type Search, searchFields } from "#app/lib/search/search-params.ts";
import { Button } from "#app/ui/button.tsx";
import { ClosePanel } from "#app/ui/close-panel.tsx";
import { FilterFieldsContext, NO_DRAFT, prefilledDraft } from "./filter-draft.ts";
import { FilterGroups } from "./filter-groups.tsx";
import { FILTERS_FORM, FILTERS_PANEL } from "./filter-ids.ts";
import { filterMessages } from "./filter-messages.ts";
import { findsOnlyHomes, searchMessages } from "./messages.ts";
import { useChipFocus } from "./use-chip-focus.ts";
import { isSameList, useSubmissions } from "./use-submissions.ts";

interface FiltersProps {
  /** The search, with the filters that were understood from its text. */
  search: Search;
  list: PropertyCardList;
}

/**
 * The filters of the list, in one form. As a column, each choice applies at once. As a panel over the list,
 * on small screens and beside the map, the choices apply when its button is pressed, which shows the number
 * of homes. The panel is a popover and not the kit's sheet: it opens without a script, and is the same form
 * as the column.
 */
export default function Filters({ search, list: shownList }: FiltersProps) {
  const locale = useLocale();
  const t = useMessages(searchMessages);
  const f = useMessages(filterMessages);
  const isHydrated = useHydrated();
  const panel = useRef<HTMLElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(NO_DRAFT);
  const applyDelay = useRef(0);
  const { key, pathname, search: query } = useLocation();
  const type = useNavigationType();
  const router = useRouter();
  // The key of the navigation that was in flight when the panel was opened.
  const keyAtOpening = useRef<string>(undefined);
  // The address whose list is shown.
  const shownAddress = useRef(pathname + query);
  const submissions = useSubmissions(search, shownList);
  const applyTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The search of the open panel, if it differs from that of the list.
  const [panelSearch, setPanelSearch] = useState<Search>();
  const { data } = useQuery({
    ...searchQuery(locale, panelSearch ?? search),
    enabled: panelSearch !== undefined,
    placeholderData: (previous) => previous,
  });
  const results = (panelSearch && data?.body) ?? shownList;
  const asked = searchFields(search);
  const fields = {
    values: (name: string) => draft.get(name) ?? asked.getAll(name),
    change: (name: string, values: readonly string[], delay: number) => {
      applyDelay.current = delay;
      setDraft((before) => new Map(before).set(name, values));
    },
  };

  const isOpen = () => panel.current?.matches(":popover-open");
  const send = (form: HTMLFormElement, stay: boolean) => {
    if (!submissions.send(form, draft, stay)) setDraft(NO_DRAFT);
  };
  const apply = useEffectEvent(() => {
    if (!form.current) return;
    // Changes in a panel that was closed are discarded, but not an order that was chosen before hydration:
    // its field is outside. Closing the panel also takes the focus off its text field.
    if (!form.current.checkVisibility() && !draft.has("sort")) return setDraft(NO_DRAFT);
    if (!isOpen()) return send(form.current, true);
    const { chosen } = submissions.searchIn(form.current);
    setPanelSearch(isSameList(search, chosen) ? undefined : chosen);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const inPanel = isOpen();
    send(event.currentTarget, !inPanel);
    if (inPanel) panel.current?.hidePopover();
  };
  /** Applies the text when its field loses the focus, unless to a submit button, which submits it anyway. */
  const applyText = (event: FocusEvent<Element, Element>) => {
    const isSubmitting = event.relatedTarget?.matches("[type=submit]");
    if (event.target.matches("[name=q]") && !isSubmitting) apply();
  };

  const adoptPrefilled = useEffectEvent(() => {
    if (form.current) setDraft(prefilledDraft(form.current, asked));
  });
  // In a layout effect, before the hydrated page renders again and empties the fields.
  useLayoutEffect(() => adoptPrefilled(), []);
  useEffect(() => {
    if (draft === NO_DRAFT) return;
    applyTimer.current = setTimeout(() => apply(), applyDelay.current);
    return () => clearTimeout(applyTimer.current);
  }, [draft]);
  useLeaving(() => clearTimeout(applyTimer.current));
  useChipFocus();
  // React also reports the toggle events of folds within the panel.
  const beforeToggle = ({ target, currentTarget, newState }: ToggleEvent) => {
    if (target !== currentTarget || newState !== "open") return;
    keyAtOpening.current = router?.state.navigation.location?.key;
  };
  const afterToggle = ({ target, currentTarget, newState }: ToggleEvent) => {
    if (target !== currentTarget || newState === "open") return;
    setDraft(NO_DRAFT);
    // A submission still needs the answer to the panel's search.
    if (!submissions.hasPending()) setPanelSearch(undefined);
  };
  useNavigated(() => {
    const address = pathname + query;
    const isOther = address !== shownAddress.current;
    shownAddress.current = address;
    setDraft(submissions.settle(form.current));
    if (!isOpen()) return setPanelSearch(undefined);
    // A navigation of the map, or one from before the panel was opened, leaves the panel open. A link to
    // the list that is shown replaces the history entry too, but closes the panel.
    if ((type === "REPLACE" && isOther) || key === keyAtOpening.current) apply();
    else panel.current?.hidePopover();
  });

  return (
    <section
      ref={panel}
      id={FILTERS_PANEL}
      popover="auto"
      onBeforeToggle={beforeToggle}
      onToggle={afterToggle}
      aria-label={t.filters}
      className={search.view === "map" ? "panel drawer" : "panel column-panel"}
    >
      <div className="panel-head sticky top-0 z-10 short:static flex h-16 items-center justify-between border-b border-line bg-canvas px-5">
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
        onBlur={applyText}
        className="panel-body flex flex-col gap-7"
      >
        <FilterFieldsContext value={fields}>
          <FilterGroups search={search} facets={results.facets} />
        </FilterFieldsContext>
        {(["bbox", "area"] as const).map((name) => (
          <input key={name} type="hidden" name={name} value={search[name] ?? ""} />
        ))}
        <input type="hidden" name="view" value={search.view === "map" ? "map" : ""} />
        <div className="panel-foot border-t border-line bg-canvas p-5 short:py-1">
          <Button type="submit" className="w-full">
            <span aria-live="polite">
              {/* Before hydration, the number would not change with the choices. */}
              {isHydrated
                ? f.showCount(
                    formatNumber(locale, results.total),
                    results.total,
                    findsOnlyHomes(panelSearch ?? search, results.facets),
                  )
                : f.show}
            </span>
          </Button>
        </div>
      </form>
    </section>
  );
}
