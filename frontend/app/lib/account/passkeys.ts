const ANSWER_LIMIT_MS = 10_000;

/**
 * What became of a passkey that was asked for. "other": another account is signed in by now, or none;
 * "known": this device has one of the account already; "away": nobody could say, as with "too-many" for a
 * few minutes; "failed": it is no good here.
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

/** Whether this browser has passkeys here: an address of numbers can't hold any. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential === "function" &&
    "parseCreationOptionsFromJSON" in PublicKeyCredential &&
    !/^[\d.]+$|:/.test(location.hostname)
  );
}

/** Makes a passkey for the account of `email`, if that is the one that is signed in. */
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

/** Signs in whoever has a passkey of this site. */
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

/** Asks for the question, has the device answer it, and sends the answer. */
async function runCeremony<Options>(
  challenge: string,
  answer: string,
  answerOf: (options: Options) => Promise<Credential | null>,
): Promise<PasskeyOutcome> {
  try {
    const { ceremony, options } = (await post(challenge, {})) as Ceremony<Options>;
    const credential = await answerOf(options);
    if (!(credential instanceof PublicKeyCredential)) return "cancelled";
    await post(answer, { ceremony, credential: credential.toJSON() });
    return "done";
  } catch (error) {
    return outcomeOf(error as Partial<DOMException & Response>);
  }
}

/** What it is that the device has refused, or an answer; without a connection there is none. */
function outcomeOf({ name, status = 0 }: Partial<DOMException & Response>): PasskeyOutcome {
  // Whoever closes the device's own window has thought better of it.
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
