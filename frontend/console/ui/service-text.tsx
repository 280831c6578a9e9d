import type { ReactNode } from "react";
import { useLocale } from "#app/lib/i18n/locale.ts";

/** What a service says in its own English, marked so where the page is in another language. */
export function ServiceText({ children }: { children: ReactNode }) {
  return <span lang={useLocale() === "en" ? undefined : "en"}>{children}</span>;
}
