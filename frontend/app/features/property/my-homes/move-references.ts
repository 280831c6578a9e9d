import { MAX_NOTE_LENGTH } from "#app/lib/my-homes/my-home.ts";
import { changeHome, myHomes } from "#app/lib/my-homes/store.ts";
import { draftOf, writeDraft } from "./drafts.ts";

/**
 * Moves what the visitor stored about homes (favourite, hidden, compared, notes) from former references to the
 * current ones. `moved` maps each former reference to the current one.
 *
 * @returns whether a change discovered that the session has ended; from then on the device stores the homes.
 */
export async function moveToNewReferences(
  moved: Readonly<Record<string, string>>,
): Promise<boolean> {
  let isSignedOut = false;
  for (const [former, now] of Object.entries(moved)) {
    if (await moveHome(former, now)) isSignedOut = true;
  }
  return isSignedOut;
}

async function moveHome(former: string, now: string): Promise<boolean> {
  const home = myHomes().get(former);
  const isChosen = home && (home.favourite || home.hidden || home.compared || home.note);
  if (!isChosen) return false;
  const existing = myHomes().get(now)?.note;
  const note = joinNotes(existing, home.note);
  const draft = () => {
    const [ofFormer, ofNow] = [draftOf(former), draftOf(now)];
    const hasDraft = ofFormer !== undefined || ofNow !== undefined;
    return hasDraft ? joinNotes(ofNow ?? existing, ofFormer ?? home.note) : note;
  };
  const isTooLong = [note, draft()].some((text) => text.length > MAX_NOTE_LENGTH);
  // The end of the joined note would be cut off.
  if (isTooLong) return false;
  const outcome = await changeHome(now, {
    ...(home.favourite && { favourite: true }),
    ...(home.hidden && { hidden: true }),
    ...(note && { note }),
  });
  // Delete nothing under the former reference that was not saved under the new one.
  if (outcome !== "kept" && outcome !== "signed-out") return false;
  // The visitor may have written more meanwhile.
  const written = draft();
  writeDraft(now, written === note ? undefined : written);
  writeDraft(former, undefined);
  const cleared = { favourite: false, hidden: false, compared: false, note: "" };
  const outcomes = [outcome, await changeHome(former, cleared)];
  // The number of compared homes is limited, and one slot is free only now.
  if (home.compared) outcomes.push(await changeHome(now, { compared: true }));
  return outcomes.includes("signed-out");
}

/** Joins two notes, unless the first already contains the second. */
function joinNotes(note: string | null = "", further: string | null = ""): string {
  if (!note || !further) return note || further || "";
  return `\n${note}\n`.includes(`\n${further}\n`) ? note : `${note}\n${further}`;
}
