/** What the write side takes as well. */
const LONGEST = 2_000;

/**
 * Whether `path` is a path of this site, and nothing that a browser reads as another's: the rules of
 * the write side (`is_path`). Links to the sign-in page come from anywhere, and a browser leaves out
 * tabs and line breaks of an address and takes `\` for `/`.
 */
export function isOwnPath(path: string): boolean {
  return path.length <= LONGEST && /^\/(?![/\\])[!-[\]-~]*$/.test(path);
}

/** Where an address or a form says to go on after signing in; nothing where that is not of this site. */
export function readNext(from: URLSearchParams | FormData): string {
  const next = from.get("next");
  return typeof next === "string" && isOwnPath(next) ? next : "";
}

/** `path`, a page of signing in, from where it goes on to `next`, if anywhere. */
export function withNext(path: string, next: string): string {
  return next ? `${path}?${new URLSearchParams({ next })}` : path;
}
