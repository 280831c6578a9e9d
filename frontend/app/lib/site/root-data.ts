import { useRouteLoaderData } from "react-router";
import type { loader } from "#app/root.tsx";

/** What the server alone knows; nothing where it could not even say that. */
export function useRootData() {
  return useRouteLoaderData<typeof loader>("root");
}
