import { useRouteLoaderData } from "react-router";
import type { loader } from "#app/root.tsx";

/** Returns the data of the root loader, which only the server knows; undefined if the root loader failed. */
export function useRootData() {
  return useRouteLoaderData<typeof loader>("root");
}
