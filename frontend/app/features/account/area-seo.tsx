import { useLocation } from "react-router";
import { toldTitle } from "#app/lib/account/told-title.ts";
import { neutralPath } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { accountAreaMessages } from "./area-messages.ts";
import { OWNERS_PARTS, PARTS } from "./area-parts.ts";

/** The title of a part of the client area, and first what became of a form in it. */
export function AreaSeo({ told }: { told?: string | undefined }) {
  const t = useMessages(accountAreaMessages);
  const { settings } = useSite();
  const here = neutralPath(useLocation().pathname);
  const part = [...PARTS, ...OWNERS_PARTS].find(([path]) => path === here)?.[1];
  return (
    <Seo
      title={toldTitle(told, part ? `${t[part]} · ${t.title}` : t.title)}
      description={t.title}
      suffix={settings.titleSuffix}
      path="/account"
      indexed={false}
    />
  );
}
