import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { BASE_URL } from "./site.ts";

/** A request as it reached the site, from a page or from a worker. */
export interface Seen {
  readonly path: string;
  /** Its destination: `document`, `image`, or `empty` for a request by script. */
  readonly to: string | undefined;
  /** Whether the browser sent it while the service worker started. */
  readonly preloaded: boolean;
}

/** Starts a proxy before the site that records all requests, since the browser does not report a worker's. */
export async function watchedSite(): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const { host } = new URL(BASE_URL);
  const server = createServer((asked, answer) => {
    const { url = "/", method, headers } = asked;
    seen.push({
      path: url,
      to: headers["sec-fetch-dest"] as string | undefined,
      preloaded: headers["service-worker-navigation-preload"] === "true",
    });
    const passedOn = request(BASE_URL + url, { method, headers: { ...headers, host } }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    passedOn.on("error", () => answer.destroy());
    answer.on("close", () => passedOn.destroy());
    asked.pipe(passedOn);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, seen };
}
