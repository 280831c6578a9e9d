import type { AnchorHTMLAttributes, Ref } from "react";
import { Link as RouterLink, type LinkProps as RouterLinkProps } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import type { NavigationState } from "#app/lib/search/navigation-state.ts";

/** The router's own link options, which are not attributes of the element. */
type RouterOptions = Pick<
  RouterLinkProps,
  "preventScrollReset" | "reloadDocument" | "viewTransition"
>;

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href">, RouterOptions {
  /** A path of the site without its language prefix, or an external address. */
  to: string;
  state?: NavigationState | undefined;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/** A link that keeps the language of the page, and prefetches its route on hover or focus. */
export function Link({ to, ...rest }: LinkProps) {
  const address = localizedPath(useLocale(), to);
  // On the server prefetching is useless, and a list has more than a hundred links. A plain element renders
  // the same markup as the router's link.
  if (import.meta.env.SSR && address.startsWith("/")) return plainLink(address, rest);
  // No route discovery: the page already carries the full route manifest.
  return <RouterLink to={address} prefetch="intent" discover="none" {...rest} />;
}

/** Renders the plain element that the document contains. */
function plainLink(
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
