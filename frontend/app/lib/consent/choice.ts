/** Whether a visitor has agreed to be counted by a third party. */
export type Choice = "yes" | "no";

const COOKIE = "consent";
/** After half a year the question may be asked again. */
const MAX_AGE_SECONDS = 182 * 24 * 60 * 60;

interface Signals {
  readonly cookie: string;
  /** The browser's Global Privacy Control, which refuses all sites at once. */
  readonly globalPrivacyControl: boolean;
}

/** Returns the visitor's choice, or undefined if there is none yet. */
export function choiceIn({ cookie, globalPrivacyControl }: Signals): Choice | undefined {
  const chosen = cookie.match(/(?:^|; )consent=(yes|no)(?:;|$)/)?.[1] as Choice | undefined;
  return chosen ?? (globalPrivacyControl ? "no" : undefined);
}

/** The choice made on this page: the only record of it if the browser refuses cookies. */
let sessionChoice: Choice | undefined;

/** Returns the choice of the visitor of this browser. */
export function currentChoice(): Choice | undefined {
  const { globalPrivacyControl = false } = navigator as { globalPrivacyControl?: boolean };
  return choiceIn({ cookie: document.cookie, globalPrivacyControl }) ?? sessionChoice;
}

/** Stores the choice on this device. */
export function saveChoice(choice: Choice): void {
  sessionChoice = choice;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
  document.cookie = `${COOKIE}=${choice}; max-age=${MAX_AGE_SECONDS}; path=/; samesite=lax`;
}
