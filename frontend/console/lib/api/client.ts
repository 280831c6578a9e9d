import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { getJson } from "./call.ts";
import { isSignedOut } from "./call-error.ts";
import { SESSION } from "./queries.ts";

/**
 * Makes the query client; the key of a query is its path. `onSignedOut` is called when a call is refused for
 * lack of a session, except by the query for the session itself and by sign-in.
 */
export function makeClient(onSignedOut: () => void): QueryClient {
  const checkSignedOut = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        if (queryKey[0] !== SESSION) checkSignedOut(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        if (!meta?.signsIn) checkSignedOut(error);
      },
    }),
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) => getJson(String(queryKey[0]), signal),
        // Lists are polled anyway, and meanwhile show how old they are.
        retry: false,
        // The operator's machine may reach the console without being online.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
