/** What a visitor has said to being counted by a third party. */
export type Choice = "yes" | "no";

const COOKIE = "consent";
/** After half a year the question may be asked again. */
const KEPT_SECONDS = 182 * 24 * 60 * 60;

interface Signals {
  readonly cookie: string;
  /** The browser's Global Privacy Control: a no to everybody at once. */
  readonly globalPrivacyControl: boolean;
}

/** The choice that was made; none where it is still open. */
export function choiceIn({ cookie, globalPrivacyControl }: Signals): Choice | undefined {
  const chosen = cookie.match(/(?:^|; )consent=(yes|no)(?:;|$)/)?.[1] as Choice | undefined;
  return chosen ?? (globalPrivacyControl ? "no" : undefined);
}

/** What was said to this page: a browser that refuses cookies has no other memory of it. */
let sessionChoice: Choice | undefined;

/** What this visitor's browser says. */
export function currentChoice(): Choice | undefined {
  const { globalPrivacyControl = false } = navigator as { globalPrivacyControl?: boolean };
  return choiceIn({ cookie: document.cookie, globalPrivacyControl }) ?? sessionChoice;
}

/** Keeps the choice on this device. */
export function keepChoice(choice: Choice): void {
  sessionChoice = choice;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
  document.cookie = `${COOKIE}=${choice}; max-age=${KEPT_SECONDS}; path=/; samesite=lax`;
}
