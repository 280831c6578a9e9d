const ANSWER_LIMIT_MS = 10_000;

/**
 * The outcome of a passkey ceremony. "other": another account is signed in by now, or none; "known": this
 * device already has a passkey of the account; "away": the service did not answer; "too-many": rate limited
 * for a few minutes; "failed": the passkey is not valid here.
 */
export type PasskeyOutcome =
  | "done"
  | "cancelled"
  | "other"
  | "known"
  | "too-many"
  | "away"
  | "failed";

interface Ceremony<Options> {
  readonly ceremony: string;
  readonly options: Options;
}

/** Returns whether this browser supports passkeys on this host. An IP address can't have any. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === "function" &&
    "parseCreationOptionsFromJSON" in PublicKeyCredential &&
    !/^[\d.]+$|:/.test(location.hostname)
  );
}

/** Creates a passkey for the account of `email`, if that is the account that is signed in. */
export async function makePasskey(email: string): Promise<PasskeyOutcome> {
  let isOther = false;
  const outcome = await runCeremony(
    "/api/account/passkeys/challenge",
    "/api/account/passkeys",
    async (options: PublicKeyCredentialCreationOptionsJSON) => {
      isOther = options.user.name !== email;
      if (isOther) return null;
      return navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      });
    },
  );
  return isOther ? "other" : outcome;
}

/** Signs in with a passkey of this site. */
export function signInByPasskey(): Promise<PasskeyOutcome> {
  return runCeremony(
    "/api/account/sign-in/passkey/challenge",
    "/api/account/sign-in/passkey",
    (options: PublicKeyCredentialRequestOptionsJSON) =>
      navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      }),
  );
}

/** Fetches the challenge, has the device answer it, and sends the answer. */
async function runCeremony<Options>(
  challenge: string,
  answer: string,
  answerChallenge: (options: Options) => Promise<Credential | null>,
): Promise<PasskeyOutcome> {
  try {
    const { ceremony, options } = (await post(challenge, {})) as Ceremony<Options>;
    const credential = await answerChallenge(options);
    if (!(credential instanceof PublicKeyCredential)) return "cancelled";
    await post(answer, { ceremony, credential: credential.toJSON() });
    return "done";
  } catch (error) {
    return outcomeOf(error as Partial<DOMException & Response>);
  }
}

/** Classifies an error of the device, a refused response, or a failed connection (which has no status). */
function outcomeOf({ name, status = 0 }: Partial<DOMException & Response>): PasskeyOutcome {
  // The visitor closed the device's own dialog.
  if (name === "NotAllowedError") return "cancelled";
  if (name === "InvalidStateError") return "known";
  if (status === 401) return "other";
  if (status === 429) return "too-many";
  const isAway = status >= 500 || name === "TimeoutError" || name === "TypeError";
  return isAway ? "away" : "failed";
}

async function post(path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (!answer.ok) throw answer;
  return answer.json();
}
