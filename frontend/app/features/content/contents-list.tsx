import type { Heading } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { contentMessages } from "./messages.ts";

/** The table of contents of a text; third-level headings are shown only on large screens. */
export function ContentsList({
  headings,
  lang,
}: {
  headings: readonly Heading[];
  lang?: string | undefined;
}) {
  const t = useMessages(contentMessages);
  return (
    <Card as="nav" aria-label={t.contents} className="px-6 py-5">
      <h2 className="text-lg">{t.contents}</h2>
      <ol className="mt-2 flex flex-col text-[0.9375rem]" lang={lang}>
        {headings.map(({ id, text, level }) => (
          <li key={id} className={level === 3 ? "ml-4 max-lg:hidden" : ""}>
            <a
              href={`#${id}`}
              className={`inline-block py-1 leading-snug decoration-sun-strong decoration-2 underline-offset-4 hover:underline ${level === 3 ? "text-muted hover:text-ink" : ""}`}
            >
              {text}
            </a>
          </li>
        ))}
      </ol>
    </Card>
  );
}
