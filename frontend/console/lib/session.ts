import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "./api/queries.ts";
import type { Session } from "./api/types.ts";

/** Returns the session that the frame's loader has fetched. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Whether the operator may act, and not only look. */
export function useMayAct(): boolean {
  return useSession()?.operator.mayAct ?? false;
}

/** Whether there is a content service in which redirects can be made. */
export function useMakesRedirects(): boolean {
  return useSession()?.redirects ?? true;
}
