import { isOwnPath } from "#app/lib/account/next-path.ts";

interface Redirect {
  from: string;
  to: string;
  /** The site has no redirects that are for a while. */
  permanent: true;
}

/** What a form asks for: `to` without the spaces that a copied address brings. */
export function redirectOf(from: string, answers: FormData): Redirect {
  return {
    from,
    to: String(answers.get("to") ?? "").trim(),
    permanent: true,
  };
}

/** Whether it leads to another page of the site. The service has the last word. */
export function isRedirect({ from, to }: Redirect): boolean {
  return to !== from && isOwnPath(to);
}
