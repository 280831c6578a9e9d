import type { ContentPage } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { article, breadcrumbList, faqPage, graph } from "#app/lib/seo/structured-data.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import type { Crumb } from "#app/ui/breadcrumbs.tsx";

interface PageSeoProps {
  page: ContentPage;
  crumbs: readonly Crumb[];
  /** What else the page is about. */
  about?: Record<string, unknown> | undefined;
}

/** What search engines are told of a page that the editors wrote. */
export function PageSeo({ page, crumbs, about }: PageSeoProps) {
  const locale = useLocale();
  const origin = useOrigin();
  const { settings } = useSite();
  const path = `/${page.slug}`;
  const readAlone = page.kind === "guide" || page.kind === "landing";
  return (
    <Seo
      title={page.title}
      suffix={settings.titleSuffix}
      description={page.metaDescription || page.intro}
      path={path}
      locales={page.locales}
      picture={page.image ?? settings.hero}
      indexed={page.language === locale}
      structuredData={graph(
        breadcrumbList([...crumbs, { label: page.title, to: path }], { origin, locale }),
        readAlone ? article({ ...page, summary: page.intro, path }, settings, origin) : undefined,
        faqPage(page.faq),
        about,
      )}
    />
  );
}
