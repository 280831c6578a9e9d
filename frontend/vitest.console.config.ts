import { defineConfig } from "vitest/config";

/** Tests the console's build in Chromium, with canned API responses: run `npm run build:console` first. */
export default defineConfig({
  test: {
    include: ["console/tests/**/*.test.ts"],
    // Generous limits, so that a small machine that is busy with something else passes too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 1,
  },
});
