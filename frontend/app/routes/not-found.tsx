import { notFound } from "#app/lib/query/page.ts";

export { PageError as ErrorBoundary } from "#app/features/error/page-error.tsx";

/** Every path that no other route knows. */
export function loader() {
  throw notFound();
}

export function clientLoader() {
  throw notFound();
}

export default function NotFound() {
  return null;
}
