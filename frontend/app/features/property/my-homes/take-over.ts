import { MAX_NOTE_LENGTH } from "#app/lib/my-homes/my-home.ts";
import { changeHome, myHomes } from "#app/lib/my-homes/store.ts";
import { draftOf, writeDraft } from "./drafts.ts";

/**
 * Keeps what a visitor made of homes under the references that they have now, by those that they had.
 *
 * @returns whether the session has ended, as this was the first to learn: the device keeps them from now on.
 */
export async function takeOver(moved: Readonly<Record<string, string>>): Promise<boolean> {
  let isSignedOut = false;
  for (const [former, now] of Object.entries(moved)) {
    if (await takeOverOne(former, now)) isSignedOut = true;
  }
  return isSignedOut;
}

async function takeOverOne(former: string, now: string): Promise<boolean> {
  const home = myHomes().get(former);
  const isChosen = home && (home.favourite || home.hidden || home.compared || home.note);
  if (!isChosen) return false;
  const there = myHomes().get(now)?.note;
  const note = joined(there, home.note);
  const draft = () => {
    const [ofFormer, ofNow] = [draftOf(former), draftOf(now)];
    const isWritten = ofFormer !== undefined || ofNow !== undefined;
    return isWritten ? joined(ofNow ?? there, ofFormer ?? home.note) : note;
  };
  const isTooLong = [note, draft()].some((text) => text.length > MAX_NOTE_LENGTH);
  // The end would be cut off.
  if (isTooLong) return false;
  const outcome = await changeHome(now, {
    ...(home.favourite && { favourite: true }),
    ...(home.hidden && { hidden: true }),
    ...(note && { note }),
  });
  // Nothing is let go of that is not kept.
  if (outcome !== "kept" && outcome !== "signed-out") return false;
  // More may have been written meanwhile.
  const written = draft();
  writeDraft(now, written === note ? undefined : written);
  writeDraft(former, undefined);
  const nothing = { favourite: false, hidden: false, compared: false, note: "" };
  const outcomes = [outcome, await changeHome(former, nothing)];
  // Of the few that can be compared one has its place free only now.
  if (home.compared) outcomes.push(await changeHome(now, { compared: true }));
  return outcomes.includes("signed-out");
}

/** Both notes; what was joined before is not told twice. */
function joined(note: string | null = "", further: string | null = ""): string {
  if (!note || !further) return note || further || "";
  return `\n${note}\n`.includes(`\n${further}\n`) ? note : `${note}\n${further}`;
}
