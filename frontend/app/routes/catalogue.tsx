import { Catalogue } from "#app/features/catalogue/catalogue.tsx";
import { ErrorSamples } from "#app/features/error/error-samples.tsx";
import { MapSamples } from "#app/features/map/map-samples.tsx";
import { PropertySamples } from "#app/features/property/property-samples.tsx";
import { SearchSamples } from "#app/features/search/search-samples.tsx";
import { ShellSamples } from "#app/features/shell/shell-samples.tsx";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useAnswer } from "#app/lib/query/api-query.ts";
import { publicPage } from "#app/lib/query/page.server.ts";
import { firstQuery } from "#app/lib/search/queries.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

const HOMES = 3;

/** Loads as a public page: its content does not depend on the visitor. */
export const loader = publicPage(async (read, { locale }) => {
  await read(firstQuery(locale, {}, HOMES));
});

/** Shows every component of the site in each of its states. */
export default function CataloguePage() {
  const { items } = useAnswer(firstQuery(useLocale(), {}, HOMES));
  return (
    <Catalogue>
      <PropertySamples cards={items} />
      <SearchSamples />
      <MapSamples />
      <ShellSamples />
      <ErrorSamples />
    </Catalogue>
  );
}
