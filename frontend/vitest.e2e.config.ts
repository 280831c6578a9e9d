import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const fileOf = (name: string) => `tests/e2e/${name}.test.ts`;

/** Journeys that change what the site shows. They run alone, after the others. */
const EDITING = ["alerts", "edited-pages", "live"].map(fileOf);

/** The longest journeys start first: started last, one of them would run alone while the other worker is idle. */
const LONGEST = ["every-page", "crawl", "catalogue", "hydration", "map"].map(fileOf);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((file) => moduleId.endsWith(file));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Runs the journeys in a real browser against a running site: `BASE_URL=http://localhost:8080`. */
export default defineConfig({
  test: {
    tags: [{ name: "every-browser", description: "also made in Firefox" }],
    // Vitest uses `BASE_URL` for its own purposes inside tests.
    env: { SITE_URL: (process.env.BASE_URL ?? "http://localhost:8080").replace(/\/$/, "") },
    // Generous limits, so that a small machine that is busy with something else passes too.
    testTimeout: 180_000,
    // Of about five hundred journeys on a busy machine, one fails now and then: it is retried and reported. A
    // journey that fails twice fails the run.
    retry: 1,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "reading",
          include: ["tests/e2e/**/*.test.ts"],
          exclude: EDITING,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "editing",
          include: EDITING,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
