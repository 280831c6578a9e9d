import type { Ref } from "react";
import { Link as RouterLink, type LinkProps as RouterLinkProps } from "react-router";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";

interface LinkProps extends Omit<RouterLinkProps, "to"> {
  /** A path of the site without its language, or an address elsewhere. */
  to: string;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/** A link that stays in the language of the page, and reads ahead when it is pointed at. */
export function Link({ to, ...rest }: LinkProps) {
  const locale = useLocale();
  // No route is left to discover: the map of them travels with the page.
  return <RouterLink to={localizedPath(locale, to)} prefetch="intent" discover="none" {...rest} />;
}
