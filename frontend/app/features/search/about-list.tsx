import type { ContentPage } from "#app/lib/api/types.ts";
import { LANGUAGE_TAG, useLocale } from "#app/lib/i18n/locale.ts";
import { Prose } from "#app/ui/prose.tsx";

/** What the editors say of the list, after all homes. */
export default function AboutList({ page }: { page: ContentPage }) {
  return (
    <Prose
      html={page.body}
      lang={page.language === useLocale() ? undefined : LANGUAGE_TAG[page.language]}
      className="mt-16 border-t border-line pt-12"
    />
  );
}
