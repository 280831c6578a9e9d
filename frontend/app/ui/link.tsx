import type { AnchorHTMLAttributes, Ref } from "react";
import { Link as RouterLink, type LinkProps as RouterLinkProps } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";

/** What the router does when a link is followed. */
type Step = Pick<
  RouterLinkProps,
  "preventScrollReset" | "reloadDocument" | "state" | "viewTransition"
>;

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href">, Step {
  /** A path of the site without its language, or an address elsewhere. */
  to: string;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/** A link that stays in the language of the page, and reads ahead when it is pointed at. */
export function Link({ to, ...rest }: LinkProps) {
  const address = localizedPath(useLocale(), to);
  // Nobody points at it on the server, where a list has more than a hundred: the router would write the same.
  if (import.meta.env.SSR && address.startsWith("/")) return writtenLink(address, rest);
  // No route is left to discover: the map of them travels with the page.
  return <RouterLink to={address} prefetch="intent" discover="none" {...rest} />;
}

/** A link as the document carries it. */
function writtenLink(
  address: string,
  {
    preventScrollReset,
    reloadDocument,
    state,
    viewTransition,
    ...attributes
  }: Omit<LinkProps, "to">,
) {
  return <a {...attributes} href={address} />;
}
