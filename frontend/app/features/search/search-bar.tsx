import type { ReactNode } from "react";
import { formatPrice } from "#app/lib/format/format.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { PROPERTY_TYPES } from "#app/lib/search/search-params.ts";
import { typePlurals } from "#app/lib/vocabulary/names.gen.ts";
import { Icon } from "#app/ui/icon.tsx";
import { searchMessages } from "./messages.ts";
import { useSearchSubmit } from "./submit.ts";
import { SearchField } from "./type-ahead/search-field.tsx";

const messages = defineMessages({
  en: { anyType: "Any type", budget: "Up to", anyBudget: "Any price" },
  es: { anyType: "Cualquier tipo", budget: "Hasta", anyBudget: "Sin límite" },
});

const BUDGETS = [100_000, 150_000, 200_000, 300_000, 400_000, 600_000, 1_000_000];
const SEGMENT =
  "block rounded-2xl px-4 py-2 transition-colors hover:bg-sunk has-focus-visible:bg-sunk sm:rounded-full sm:px-6";
const SEGMENT_LABEL = "block text-xs font-semibold text-muted";

/**
 * Searches by place or text, type and highest price. It is drawn as one pill, or as one card on small
 * screens.
 */
export function SearchBar() {
  const locale = useLocale();
  const t = useMessages(messages);
  const s = useMessages(searchMessages);
  const types = useMessages(typePlurals);
  const submit = useSearchSubmit();
  return (
    <search>
      <form
        action={localizedPath(locale, "/property-for-sale")}
        method="get"
        onSubmit={submit}
        className="grid gap-1 sm:relative rounded-3xl border border-line bg-surface p-2 shadow-xl shadow-[var(--shadow)] sm:grid-cols-[1.6fr_1fr_1fr_auto] sm:gap-0 sm:rounded-full"
      >
        <div className="max-sm:relative">
          <SearchField
            className={`${SEGMENT} has-focus-visible:outline-2 outline-ink`}
            labelClassName={SEGMENT_LABEL}
            inputClassName="block w-full bg-transparent pt-0.5 pb-1 font-medium text-ink text-ellipsis outline-none placeholder:font-normal placeholder:text-muted"
          />
        </div>
        <Segment label={s.type} name="propertyType">
          <option value="">{t.anyType}</option>
          {PROPERTY_TYPES.map((type) => (
            <option key={type} value={type}>
              {types[type]}
            </option>
          ))}
        </Segment>
        <Segment label={t.budget} name="maxPrice">
          <option value="">{t.anyBudget}</option>
          {BUDGETS.map((budget) => (
            <option key={budget} value={budget}>
              {formatPrice(locale, budget)}
            </option>
          ))}
        </Segment>
        <button
          type="submit"
          className="flex min-h-12 items-center justify-center gap-2 rounded-full bg-sun font-semibold text-on-sun transition-colors hover:bg-sun-strong sm:size-14"
        >
          <Icon name="search" className="size-5.5" />
          <span className="sm:sr-only">{s.search}</span>
        </button>
      </form>
    </search>
  );
}

function Segment({ label, name, children }: { label: string; name: string; children: ReactNode }) {
  return (
    <label className={SEGMENT}>
      <span className={SEGMENT_LABEL}>{label}</span>
      <select
        name={name}
        className="plain-select -mx-4 block w-[calc(100%+2rem)] bg-transparent px-4 pt-0.5 pb-1 font-medium text-ink outline-offset-0 sm:-mx-6 sm:w-[calc(100%+3rem)] sm:px-6"
      >
        {children}
      </select>
    </label>
  );
}
