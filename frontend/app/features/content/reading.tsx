import type { ReactNode } from "react";
import type { Heading } from "#app/lib/api/types.ts";
import { Prose } from "#app/ui/prose.tsx";
import { ContentsList } from "./contents-list.tsx";

/** Texts with fewer chapters get no table of contents. */
const CHAPTERS_WORTH_LISTING = 3;

interface ReadingProps {
  text: { body: string; headings: Heading[] };
  lang?: string | undefined;
  /** Content below the text. */
  children?: ReactNode;
}

/** A long text with its table of contents beside it, or above it on small screens. */
export function Reading({ text, lang, children }: ReadingProps) {
  const chapters = text.headings.filter(({ level }) => level === 2);
  const listed = chapters.length >= CHAPTERS_WORTH_LISTING;
  return (
    <div className="grid grid-cols-1 gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
      {listed ? (
        <div className="lg:col-start-2 lg:row-start-1">
          <div className="lg:sticky lg:top-24 lg:max-h-[calc(100dvh-8rem)] lg:overflow-y-auto">
            <ContentsList headings={text.headings} lang={lang} />
          </div>
        </div>
      ) : null}
      <div className="min-w-0 lg:col-start-1 lg:row-start-1">
        <Prose html={text.body} lang={lang} />
        {children}
      </div>
    </div>
  );
}
