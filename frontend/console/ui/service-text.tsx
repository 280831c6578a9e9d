import type { ReactNode } from "react";
import { useLocale } from "#app/lib/i18n/locale.ts";

/** A service's own English text, marked as English on a page in another language. */
export function ServiceText({ children }: { children: ReactNode }) {
  return <span lang={useLocale() === "en" ? undefined : "en"}>{children}</span>;
}
