import { publicPage } from "#app/lib/query/page.server.ts";
import { browserPage, notFound, type PageLoad } from "#app/lib/query/page.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** Responds with 404 for every path that no other route matches. */
const load: PageLoad = async () => {
  throw notFound();
};

export const loader = publicPage(load);
export const clientLoader = browserPage(load);

export default function NotFound() {
  return null;
}
