import { spawn } from "node:child_process";
import { BASE_URL } from "./site.ts";

const FOLDER = new URL("../../", import.meta.url).pathname;

/** A second renderer beside the site, which renders from the site's API. */
export interface Renderer {
  readonly url: string;
  stop(): void;
}

/** Starts a renderer with additional environment variables. */
export async function startRenderer(environment: Record<string, string>): Promise<Renderer> {
  const renderer = spawn(process.execPath, ["server.js"], {
    cwd: FOLDER,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: "0",
      PUBLIC_URL: BASE_URL,
      QUERY_URL: BASE_URL,
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((resolve, reject) => {
    renderer.stdout.once("data", (written: Buffer) => resolve(written.toString()));
    renderer.once("exit", (code) => reject(new Error(`the renderer ended (${code})`)));
  });
  const [url] = /http:\S+/.exec(line) ?? [];
  if (!url) throw new Error(`the renderer does not say where it listens: ${line}`);
  return { url, stop: () => renderer.kill() };
}
