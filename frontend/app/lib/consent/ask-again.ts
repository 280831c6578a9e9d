/** Opens the consent dialog; undefined until its script has loaded. */
let opener: (() => void) | undefined;
let isPending = false;

/**
 * Opens the consent dialog again, for a visitor who wants to change the choice: at once, or as soon as it has
 * loaded.
 */
export function askAgain(): void {
  if (opener) opener();
  else isPending = true;
}

/** Registers the callback that opens the dialog. Returns a function that unregisters it. */
export function onAskAgain(callback: () => void): () => void {
  opener = callback;
  if (isPending) callback();
  isPending = false;
  return () => {
    opener = undefined;
  };
}
