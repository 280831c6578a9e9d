import { use } from "react";
import { UNSAFE_DataRouterContext as DataRouterContext } from "react-router";

/**
 * Returns the router, which knows its next location before a busy page renders it; `useNavigation` only knows
 * it afterwards.
 */
export function useRouter() {
  return use(DataRouterContext)?.router;
}
