const ANSWER_LIMIT_MS = 10_000;

/** What became of a passkey that was asked for; `other`: another account is signed in by now. */
export type PasskeyOutcome = "done" | "cancelled" | "failed" | "other";

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
    // Whoever closes the device's own window has thought better of it.
    const cancelled = error instanceof DOMException && error.name === "NotAllowedError";
    return cancelled ? "cancelled" : "failed";
  }
}

async function post(path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}
