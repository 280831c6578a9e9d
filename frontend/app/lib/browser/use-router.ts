import { use } from "react";
import { UNSAFE_DataRouterContext as DataRouterContext } from "react-router";

/** The router: it knows where it is on its way to before a page that is busy draws that. */
export function useRouter() {
  return use(DataRouterContext)?.router;
}
