import { Catalogue } from "#app/features/catalogue/catalogue.tsx";
import { ErrorSamples } from "#app/features/error/error-samples.tsx";
import { ShellSamples } from "#app/features/shell/shell-samples.tsx";
import { publicPage } from "#app/lib/query/page.server.ts";
import { notFound } from "#app/lib/query/page.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** For whoever works on the site, never for its visitors. */
export const loader = publicPage(async () => {
  if (!import.meta.env.DEV && process.env.CATALOGUE !== "1") throw notFound();
});

/** Every part that pages are made of, in each of its states. */
export default function CataloguePage() {
  return (
    <Catalogue>
      <ShellSamples />
      <ErrorSamples />
    </Catalogue>
  );
}
