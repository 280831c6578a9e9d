import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useState } from "react";
import { overviewQuery } from "#console/lib/api/queries.ts";
import type { Overview } from "#console/lib/api/types.ts";
import { type Connection, followOverview } from "./follow-overview.ts";

const UNKNOWN: Connection = { state: "connecting", since: 0 };

const ConnectionContext = createContext<Connection>(UNKNOWN);

export const ConnectionProvider = ConnectionContext.Provider;

/** Returns the state of the live connection. */
export const useConnection = (): Connection => use(ConnectionContext);

/** Keeps the overview up to date while the component is mounted. Used once a page. */
export function useFollowOverview(): Connection {
  const client = useQueryClient();
  const [connection, setConnection] = useState(UNKNOWN);
  useEffect(
    () =>
      followOverview({
        open: () => new EventSource("/api/events"),
        receive: (overview) => client.setQueryData(overviewQuery.queryKey, overview),
        onConnection: setConnection,
        readOnce: () => void client.refetchQueries({ queryKey: overviewQuery.queryKey }),
      }),
    [client],
  );
  return connection;
}

/** Returns the latest overview, and when it arrived. */
export function useOverview(): { overview: Overview | undefined; at: number; error: Error | null } {
  const { data, dataUpdatedAt, error } = useQuery(overviewQuery);
  return { overview: data, at: dataUpdatedAt, error };
}
