import { useRef } from "react";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { type Search, sortsFor, usualSort } from "#app/lib/search/search-params.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { FILTERS_FORM } from "./filter-ids.ts";
import { searchMessages, sortNames } from "./messages.ts";

/** Selects the order of the list. The field belongs to the filter form, but is shown beside the count. */
export function SortSelect({ search }: { search: Search }) {
  const t = useMessages(searchMessages);
  const names = useMessages(sortNames);
  const usual = usualSort(search.q);
  const asked = search.sort === usual ? "" : search.sort;
  const select = useRef<HTMLSelectElement>(null);
  useNavigated(() => {
    if (select.current) select.current.value = asked;
  });
  return (
    <div className="flex max-w-full flex-wrap items-center gap-2 print:hidden">
      <label className="flex max-w-full items-center gap-2.5 text-sm">
        {/* Beside the map there is no space for the label. */}
        <span className={search.view === "map" ? "sr-only" : "text-muted max-sm:sr-only"}>
          {t.sort}
        </span>
        <select
          ref={select}
          name="sort"
          form={FILTERS_FORM}
          defaultValue={asked}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
          className="field min-h-11 w-auto max-w-full rounded-full pl-4 font-medium"
        >
          {/* The default order has no value, so that it can change when text is added. */}
          <option value="">{names[usual]}</option>
          {sortsFor(search.q)
            .filter((sort) => sort !== usual)
            .map((each) => (
              <option key={each} value={each}>
                {names[each]}
              </option>
            ))}
        </select>
      </label>
      {/* Only the server renders it, so it costs no script. */}
      <noscript>
        {import.meta.env.SSR ? (
          <button type="submit" form={FILTERS_FORM} className={buttonStyle.outline}>
            {t.apply}
          </button>
        ) : null}
      </noscript>
    </div>
  );
}
