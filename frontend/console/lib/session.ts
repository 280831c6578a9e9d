import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "./api/queries.ts";
import type { Session } from "./api/types.ts";

/** Who is signed in, as the frame's loader has learnt it. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Whether they may do more than look. */
export function useMayAct(): boolean {
  return useSession()?.operator.mayAct ?? false;
}

/** Whether a redirect that they make has somewhere to be made. */
export function useMakesRedirects(): boolean {
  return useSession()?.redirects ?? true;
}
