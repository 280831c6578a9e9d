import type { ReactNode } from "react";
import type { Picture as PictureData } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Breadcrumbs, type Crumb } from "#app/ui/breadcrumbs.tsx";
import { PHONE_PAGE, Picture, WIDE_WIDTHS } from "#app/ui/picture.tsx";
import { contentMessages } from "./messages.ts";

interface ContentHeadProps {
  crumbs: readonly Crumb[];
  title: string;
  intro: string;
  /** The language of title and intro, if it differs from the page's. */
  lang?: string | undefined;
  picture?: PictureData | null | undefined;
  /** Content below the introduction. */
  children?: ReactNode;
}

/** The head of a page: breadcrumbs, title, introduction, and a picture in an arch. */
export function ContentHead({ crumbs, title, intro, lang, picture, children }: ContentHeadProps) {
  const t = useMessages(contentMessages);
  return (
    <header className="page-width grid grid-cols-1 gap-x-16 gap-y-8 pt-5 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="lg:pb-10">
        <Breadcrumbs label={t.crumbs} crumbs={crumbs} />
        <h1 className="mt-6 max-w-[20ch] text-title lg:mt-12" lang={lang}>
          {title}
        </h1>
        <p className="mt-5 max-w-[56ch] text-xl leading-relaxed text-muted" lang={lang}>
          {intro}
        </p>
        {lang ? <p className="notice mt-5 inline-block">{t.otherLanguage}</p> : null}
        {children ? <div className="mt-6">{children}</div> : null}
      </div>
      {picture ? (
        <div className="relative lg:w-80 xl:w-88">
          <span
            aria-hidden="true"
            className="absolute -top-3 -left-3 size-24 rounded-full bg-sun sm:top-[calc(20%-3.25rem)] sm:left-[calc(12.5%-3rem)] lg:top-2 lg:-left-8 lg:size-28"
          />
          <div className="arch relative aspect-3/2 bg-sunk sm:aspect-2/1 lg:aspect-square">
            <Picture
              picture={picture}
              eager
              widths={WIDE_WIDTHS}
              sizes={`(min-width: 64rem) 33rem, ${PHONE_PAGE}`}
              className="size-full object-cover"
            />
          </div>
        </div>
      ) : null}
    </header>
  );
}
