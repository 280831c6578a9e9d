import type { ReactNode } from "react";
import type { ContentPage, Picture } from "#app/lib/api/types.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { ContentHead } from "./content-head.tsx";
import { useHomeCrumb } from "./crumbs.ts";
import { PageSeo } from "./page-seo.tsx";

interface PageHeadProps {
  page: ContentPage;
  /** Which part of it this is, where it goes on under further addresses. */
  part?: number;
  /** What else search engines are told that it is about. */
  about?: Record<string, unknown>;
  /** What stands for it where its link is shared, before its own picture. */
  shared?: Picture | null | undefined;
  /** What stands under the introduction. */
  children?: ReactNode;
}

/** The beginning of a page that the editors wrote, for its readers and for search engines. */
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
