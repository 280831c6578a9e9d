import { type FocusEvent, useId, useState } from "react";
import { useFocusKept } from "#app/lib/browser/use-focus-kept.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { MAX_NOTE_LENGTH, type MyHome } from "#app/lib/my-homes/my-home.ts";
import { useMyHomes } from "#app/lib/my-homes/use-my-homes.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { Select } from "#app/ui/select.tsx";
import { TextArea } from "#app/ui/text-field.tsx";
import { draftOf, useDraft, writeDraft } from "./drafts.ts";
import { EmptyList, HomeList } from "./home-lists.tsx";
import { myHomesMessages } from "./messages.ts";
import { useCards, withoutDuplicates } from "./use-cards.ts";
import { useChangeHome } from "./use-change-home.ts";

/** The visitor's favourites, with their notes. */
export function Favourites() {
  const t = useMessages(myHomesMessages);
  const id = useId();
  const [order, setOrder] = useState("latest");
  const favourites = [...useMyHomes().values()].filter(({ favourite }) => favourite);
  const found = useCards(favourites.map(({ reference }) => reference));
  // A note that can't be moved to the new reference stays visible.
  const homes = withoutDuplicates(favourites, found.moved, hasNote);
  const places = useStableOrder(homes);
  const focusProps = useFocusKept(homes.length);
  const placeOf = ({ reference }: MyHome) => places.get(reference) ?? 0;
  const priceOf = ({ reference }: MyHome) => found.cards.get(reference)?.price;
  const sign = order === "cheapest" ? 1 : -1;
  const sorted =
    order === "latest"
      ? homes.toSorted((a, b) => placeOf(a) - placeOf(b))
      : // A price on request comes last in either order.
        homes.toSorted(
          (a, b) =>
            sign *
            ((priceOf(a) ?? sign * Number.MAX_SAFE_INTEGER) -
              (priceOf(b) ?? sign * Number.MAX_SAFE_INTEGER)),
        );
  if (homes.length === 0) {
    return (
      <div {...focusProps}>
        <EmptyList title={t.noFavourites} lead={t.noFavouritesLead} />
      </div>
    );
  }
  return (
    <div {...focusProps}>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <p role="status" className="text-muted">
          {t.count(homes.length)}
        </p>
        <Select
          id={id}
          label={t.sort}
          value={order}
          onChange={(event) => setOrder(event.target.value)}
          options={[
            { value: "latest", label: t.latest },
            { value: "cheapest", label: t.cheapest },
            { value: "dearest", label: t.dearest },
          ]}
        />
      </div>
      <HomeList
        // Another order starts again at the first page.
        key={order}
        homes={sorted}
        found={found}
        below={(home) => <FavouriteForm home={home} />}
      />
    </div>
  );
}

const hasNote = ({ reference, note }: MyHome) => Boolean(note ?? draftOf(reference));

/** Returns the initial order of the homes, so that changing a home doesn't move it while it is edited. */
function useStableOrder(homes: readonly MyHome[]): ReadonlyMap<string, number> {
  const [places, setPlaces] = useState<ReadonlyMap<string, number>>(new Map());
  const added = homes.map(({ reference }) => reference).filter((each) => !places.has(each));
  if (added.length > 0) {
    setPlaces(new Map([...added, ...places.keys()].map((reference, place) => [reference, place])));
  }
  return places;
}

/** The form below a favourite: whether it is compared, and a note. */
function FavouriteForm({ home }: { home: MyHome }) {
  const t = useMessages(myHomesMessages);
  const id = useId();
  const change = useChangeHome(home.reference);
  const text = useDraft(home.reference);
  const [wasTyped, setWasTyped] = useState(false);
  const note = home.note ?? "";
  const save = async () => {
    const sent = text ?? note;
    const outcome = await change({ note: sent });
    // Text typed meanwhile stays, and so does text that could not be saved.
    const isSaved = outcome === "kept" || outcome === "signed-out";
    if (isSaved && draftOf(home.reference) === sent) writeDraft(home.reference, undefined);
  };
  /** Saves the note when the focus leaves the form: the visitor may leave the document, and lose the text. */
  const saveOnLeave = ({ currentTarget, relatedTarget, target }: FocusEvent<HTMLFormElement>) => {
    const isLeft =
      !currentTarget.contains(relatedTarget) &&
      // In Safari a pressed button does not take the focus.
      !currentTarget.matches(":active") &&
      // When the whole window loses the focus, the field is still the active element.
      target !== document.activeElement;
    if (isLeft && text !== undefined && text !== note) void save();
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onBlur={saveOnLeave}
    >
      <Checkbox
        label={
          <>
            {t.compareShort} <span className="sr-only">{home.reference}</span>
          </>
        }
        checked={home.compared}
        onChange={(event) => change({ compared: event.target.checked })}
      />
      <TextArea
        id={id}
        label={
          <>
            {t.note} <span className="sr-only">{home.reference}</span>
          </>
        }
        rows={2}
        maxLength={MAX_NOTE_LENGTH}
        value={text ?? note}
        onChange={({ target: { value } }) => {
          // Text equal to the saved note is not a draft, since the note may change elsewhere.
          writeDraft(home.reference, value === note ? undefined : value);
          setWasTyped(true);
        }}
      />
      {/* The button stays once it is shown: it may have the keyboard focus. */}
      {wasTyped || text !== undefined ? (
        <Button type="submit" look="outline">
          {t.saveNote}
        </Button>
      ) : null}
    </form>
  );
}
