import type { ContentPage, Picture } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo, useOrigin } from "#app/lib/seo/seo.tsx";
import { article, breadcrumbList, faqPage, graph } from "#app/lib/seo/structured-data.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import type { Crumb } from "#app/ui/breadcrumbs.tsx";
import { contentMessages } from "./messages.ts";

interface PageSeoProps {
  page: ContentPage;
  crumbs: readonly Crumb[];
  /** Additional structured data about the subject of the page. */
  about?: Record<string, unknown>;
  /** The page number, for a page whose list continues at further addresses. */
  part?: number;
  /** The preview picture for shared links, in preference to the page's own. */
  shared?: Picture | null | undefined;
}

/** The metadata of a page written by the editors. */
export function PageSeo({ page, crumbs, about, part = 1, shared }: PageSeoProps) {
  const locale = useLocale();
  const origin = useOrigin();
  const { settings } = useSite();
  const t = useMessages(contentMessages);
  const path = part > 1 ? `/${page.slug}?page=${part}` : `/${page.slug}`;
  const description = page.metaDescription || page.intro;
  const isArticle = page.kind === "guide" || page.kind === "landing";
  return (
    <Seo
      title={part > 1 ? `${page.title} (${t.part(part)})` : page.title}
      suffix={settings.titleSuffix}
      description={part > 1 ? `${t.part(part)}. ${description}` : description}
      path={path}
      locales={page.locales}
      picture={shared ?? page.image ?? settings.hero}
      indexed={page.language === locale}
      structuredData={graph(
        breadcrumbList([...crumbs, { label: page.title, to: path }], { origin, locale }),
        isArticle ? article({ ...page, summary: page.intro, path }, settings, origin) : undefined,
        faqPage(page.faq),
        about,
      )}
    />
  );
}
