import { useId } from "react";
import type { SavedSearch } from "#app/lib/account/account.ts";
import { FREQUENCIES, type Frequency, savedPath } from "#app/lib/account/saved-searches.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { Select } from "#app/ui/select.tsx";
import { alertMessages } from "./messages.ts";

interface SavedSearchesProps {
  /** The address of the account whose they are, if they are one's. */
  account?: string;
  searches: readonly SavedSearch[];
}

/** Searches, each with how often its owner hears of it. Each is a form of its own. */
export function SavedSearches({ account, searches }: SavedSearchesProps) {
  const t = useMessages(alertMessages);
  // The others are ended, and agreed to anew.
  const deletable = account !== undefined;
  // The favourites have no name but ours, and that is kept in the language of when they were asked for.
  const named = searches.map((search) =>
    search.address == null ? { ...search, name: t.favourites } : search,
  );
  return (
    <ul className="grid gap-3">
      {named.map(({ id, name, address, frequency }) => (
        <li key={id} className="account-row">
          <Link to={savedPath(address)} className="text-link font-semibold wrap-anywhere">
            {name}
          </Link>
          {deletable || frequency !== "never" ? null : (
            <p className="mt-2 text-sm text-muted">{t.agreeing}</p>
          )}
          <FrequencyForm account={account} search={id} name={name} frequency={frequency}>
            {deletable && address != null ? (
              <Button
                type="submit"
                look="quiet"
                name="intent"
                value="delete"
                aria-label={t.deleteOf(name)}
              >
                {t.delete}
              </Button>
            ) : null}
          </FrequencyForm>
        </li>
      ))}
    </ul>
  );
}

interface FrequencyFormProps {
  /** The address of the account that it changes, if it is one's. */
  account?: string | undefined;
  /** Whose it is; the favourites without one. */
  search?: string;
  name: string;
  frequency: Frequency;
  children?: React.ReactNode;
}

/** How often its owner hears of something. */
export function FrequencyForm({ account, search, name, frequency, children }: FrequencyFormProps) {
  const t = useMessages(alertMessages);
  const id = useId();
  return (
    <form method="post" className="mt-3 flex flex-wrap items-end gap-3">
      {account === undefined ? null : <input type="hidden" name="account" value={account} />}
      <input type="hidden" name="search" value={search ?? ""} />
      <Select
        id={`${id}-frequency`}
        name="frequency"
        label={t.frequency}
        defaultValue={frequency}
        options={FREQUENCIES.map((value) => ({ value, label: t.every(value) }))}
      />
      <Button type="submit" look="outline" aria-label={t.changeOf(name)}>
        {t.change}
      </Button>
      {children}
    </form>
  );
}
