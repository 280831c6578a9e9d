import { isOwnPath } from "#app/lib/account/next-path.ts";

interface Redirect {
  from: string;
  to: string;
  /** The site has no temporary redirects. */
  permanent: true;
}

/** Reads a form. `to` is trimmed, since a copied address may have spaces around it. */
export function redirectOf(from: string, answers: FormData): Redirect {
  return {
    from,
    to: String(answers.get("to") ?? "").trim(),
    permanent: true,
  };
}

/** Whether the redirect leads to another page of the site. The service checks it again. */
export function isRedirect({ from, to }: Redirect): boolean {
  return to !== from && isOwnPath(to);
}
