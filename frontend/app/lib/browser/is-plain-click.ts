/** The part of a click, of React or of the browser, that says how a link is to be opened. */
type Click = Pick<MouseEvent, "altKey" | "button" | "ctrlKey" | "metaKey" | "shiftKey">;

/** Returns whether a click opens a link in its place: with the main button, and no key for a new tab or a download. */
export function isPlainClick({ altKey, button, ctrlKey, metaKey, shiftKey }: Click): boolean {
  return button === 0 && !(altKey || ctrlKey || metaKey || shiftKey);
}
