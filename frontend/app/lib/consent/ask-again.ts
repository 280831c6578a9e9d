/** Who opens the question; nobody until what asks it has been loaded. */
let opener: (() => void) | undefined;
let isWanted = false;

/** Opens the question again, for who thinks better of it: at once, or as soon as somebody can. */
export function askAgain(): void {
  if (opener) opener();
  else isWanted = true;
}

/** Calls back when it is to be opened again. */
export function onAskAgain(callback: () => void): () => void {
  opener = callback;
  if (isWanted) callback();
  isWanted = false;
  return () => {
    opener = undefined;
  };
}
