import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { BASE_URL } from "./site.ts";

/** One request as it reached the site, whoever in the browser sent it. */
export interface Seen {
  readonly path: string;
  /** What it was for: `document`, `image`, or `empty` for a script's own. */
  readonly to: string | undefined;
  /** Whether the browser sent it while the service worker started. */
  readonly preloaded: boolean;
}

/** The site behind an address of its own, with all that is asked of it: the browser tells of none of a worker's. */
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
