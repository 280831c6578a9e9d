import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { FILTERS_FORM } from "./filters.tsx";
import { searchMessages } from "./messages.ts";
import { SORTS, type Sort } from "./search-params.ts";

/** The order of the list: a field of the filters' form that stands beside the count. */
export function SortSelect({ sort }: { sort: Sort }) {
  const t = useMessages(searchMessages);
  const names: Record<Sort, string> = {
    newest: t.newest,
    oldest: t.oldest,
    "price-asc": t.priceAsc,
    "price-desc": t.priceDesc,
  };
  return (
    <div className="flex items-center gap-2">
      <label className="flex items-center gap-2.5 text-sm">
        <span className="text-muted max-sm:sr-only">{t.sort}</span>
        <select
          name="sort"
          form={FILTERS_FORM}
          defaultValue={sort}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
          className="field min-h-11 w-auto rounded-full pl-4 font-medium"
        >
          {SORTS.map((each) => (
            <option key={each} value={each}>
              {names[each]}
            </option>
          ))}
        </select>
      </label>
      <span className="hidden no-script:block">
        <button type="submit" form={FILTERS_FORM} className={buttonStyle.outline}>
          {t.apply}
        </button>
      </span>
    </div>
  );
}
