import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Crumb } from "#app/ui/breadcrumbs.tsx";
import { contentMessages } from "./messages.ts";

/** Returns the breadcrumb of the home page. */
export function useHomeCrumb(): Crumb {
  return { label: useMessages(contentMessages).home, to: "/" };
}
