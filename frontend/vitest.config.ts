import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["app/**/*.test.{ts,tsx}", "console/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    // These run in a browser, against the build: `vitest.console.config.ts`.
    exclude: ["console/tests/**"],
  },
});
