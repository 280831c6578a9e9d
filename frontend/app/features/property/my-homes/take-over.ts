import { changeHome, myHomes } from "#app/lib/my-homes/store.ts";

/** Keeps what a visitor made of homes under the references that they have now, by those that they had. */
export async function takeOver(moved: Readonly<Record<string, string>>): Promise<void> {
  for (const [former, now] of Object.entries(moved)) await takeOverOne(former, now);
}

async function takeOverOne(former: string, now: string): Promise<void> {
  const home = myHomes().get(former);
  const isChosen = home && (home.favourite || home.hidden || home.compared || home.note);
  if (!isChosen) return;
  const notes = new Set([myHomes().get(now)?.note, home.note].filter((note) => note));
  const outcome = await changeHome(now, {
    ...(home.favourite && { favourite: true }),
    ...(home.hidden && { hidden: true }),
    ...(notes.size > 0 && { note: [...notes].join("\n") }),
  });
  // Nothing is let go of that is not kept.
  if (outcome !== "kept") return;
  await changeHome(former, { favourite: false, hidden: false, compared: false, note: "" });
  // Of the few that can be compared one has its place free only now.
  if (home.compared) await changeHome(now, { compared: true });
}
