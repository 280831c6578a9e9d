import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { getJson } from "./call.ts";
import { isSignedOut } from "./call-error.ts";
import { SESSION } from "./queries.ts";

/**
 * The browser's answers, each under the path that it was asked at. `onSignedOut` hears of a call that
 * was refused for want of a session, but not of the question who is signed in.
 */
export function makeClient(onSignedOut: () => void): QueryClient {
  const refused = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        if (queryKey[0] !== SESSION) refused(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        if (!meta?.signsIn) refused(error);
      },
    }),
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) => getJson(String(queryKey[0]), signal),
        // A list asks again by itself before long, and says meanwhile that it is old.
        retry: false,
        // A console may be on a machine of its own without a way out.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
