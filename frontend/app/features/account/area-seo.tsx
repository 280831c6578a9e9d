import { useLocation } from "react-router";
import { titleWithOutcome } from "#app/lib/account/title-with-outcome.ts";
import { neutralPath } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { accountAreaMessages } from "./area-messages.ts";
import { ACCOUNT_PARTS, PUBLIC_PARTS } from "./area-parts.ts";

/** Sets the title of a part of the client area, preceded by `told`, the result of a form, if there is one. */
export function AreaSeo({ told }: { told?: string | undefined }) {
  const t = useMessages(accountAreaMessages);
  const { settings } = useSite();
  const currentPath = neutralPath(useLocation().pathname);
  const part = [...PUBLIC_PARTS, ...ACCOUNT_PARTS].find(([path]) => path === currentPath)?.[1];
  return (
    <Seo
      title={titleWithOutcome(told, part ? `${t[part]} · ${t.title}` : t.title)}
      description={t.title}
      suffix={settings.titleSuffix}
      path="/account"
      indexed={false}
    />
  );
}
