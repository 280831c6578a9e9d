import { Catalogue } from "#app/features/catalogue/catalogue.tsx";
import { ErrorSamples } from "#app/features/error/error-samples.tsx";
import { ShellSamples } from "#app/features/shell/shell-samples.tsx";
import { publicPage } from "#app/lib/query/page.server.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** The same for everybody who may see it at all. */
export const loader = publicPage(async () => {});

/** Every part that pages are made of, in each of its states. */
export default function CataloguePage() {
  return (
    <Catalogue>
      <ShellSamples />
      <ErrorSamples />
    </Catalogue>
  );
}
