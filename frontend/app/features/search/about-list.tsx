import type { ContentPage } from "#app/lib/api/types.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { Prose } from "#app/ui/prose.tsx";

/** The editors' text about the list, shown below the homes. */
export default function AboutList({ page }: { page: ContentPage }) {
  return (
    <Prose
      html={page.body}
      lang={foreignTag(page.language, useLocale())}
      className="mt-16 border-t border-line pt-12"
    />
  );
}
