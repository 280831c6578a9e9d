import type { ReactNode } from "react";
import type { ContentPage, Picture } from "#app/lib/api/types.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { ContentHead } from "./content-head.tsx";
import { useHomeCrumb } from "./crumbs.ts";
import { PageSeo } from "./page-seo.tsx";

interface PageHeadProps {
  page: ContentPage;
  /** The page number, for a page whose list continues at further addresses. */
  part?: number;
  /** Additional structured data about the subject of the page. */
  about?: Record<string, unknown>;
  /** The preview picture for shared links, in preference to the page's own. */
  shared?: Picture | null | undefined;
  /** Content below the introduction. */
  children?: ReactNode;
}

/** The head of a page written by the editors, with its metadata for search engines. */
export function PageHead({ page, children, ...seo }: PageHeadProps) {
  const crumbs = [useHomeCrumb()];
  return (
    <>
      <PageSeo page={page} crumbs={crumbs} {...seo} />
      <ContentHead
        crumbs={crumbs}
        title={page.title}
        intro={page.intro}
        lang={foreignTag(page.language, useLocale())}
        picture={page.image}
      >
        {children}
      </ContentHead>
    </>
  );
}
