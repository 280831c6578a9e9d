import { spawn } from "node:child_process";
import { BASE_URL } from "./site.ts";

const FOLDER = new URL("../../", import.meta.url).pathname;

/** One beside the site, which makes its pages of the site's own answers. */
export interface Renderer {
  readonly url: string;
  stop(): void;
}

/** Starts one with an `environment` that the site's has not. */
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
