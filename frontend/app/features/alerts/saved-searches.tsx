import { useId } from "react";
import type { SavedSearch } from "#app/lib/account/account.ts";
import { FREQUENCIES, type Frequency, savedPath } from "#app/lib/account/saved-searches.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { Select } from "#app/ui/select.tsx";
import { alertMessages } from "./messages.ts";

interface SavedSearchesProps {
  /** The email address of the account that the searches belong to, if they belong to one. */
  account?: string;
  searches: readonly SavedSearch[];
}

/** Lists saved searches, each with a form for the frequency of its emails. */
export function SavedSearches({ account, searches }: SavedSearchesProps) {
  const t = useMessages(alertMessages);
  // A search without an account is not deleted: it is set to `never`, and choosing a frequency gives
  // consent again.
  const deletable = account !== undefined;
  // The name of the favourites is stored in the language that they were saved in, so the page uses its own.
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
  /** The email address of the account that the form changes, if it changes one. */
  account?: string | undefined;
  /** The id of the search; none for the favourites. */
  search?: string;
  name: string;
  frequency: Frequency;
  children?: React.ReactNode;
}

/** Changes the frequency of the emails about a search or the favourites. */
export function FrequencyForm({ account, search, name, frequency, children }: FrequencyFormProps) {
  const t = useMessages(alertMessages);
  const id = useId();
  return (
    <PostForm className="mt-3 flex flex-wrap items-end gap-3">
      {account === undefined ? null : <input type="hidden" name="account" value={account} />}
      <input type="hidden" name="search" value={search ?? ""} />
      <Select
        id={`${id}-frequency`}
        name="frequency"
        label={t.frequency}
        defaultValue={frequency}
        options={FREQUENCIES.map((value) => ({ value, label: t.every(value) }))}
      />
      <Button
        type="submit"
        look="outline"
        name="intent"
        value="change"
        aria-label={t.changeOf(name)}
      >
        {t.change}
      </Button>
      {children}
    </PostForm>
  );
}
