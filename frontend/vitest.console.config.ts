import { defineConfig } from "vitest/config";

/** The console's build in Chromium, on canned answers: `npm run build:console` first. */
export default defineConfig({
  test: {
    include: ["console/tests/**/*.test.ts"],
    // Limits, not promises: a small machine that is busy with something else gets there too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 1,
  },
});
