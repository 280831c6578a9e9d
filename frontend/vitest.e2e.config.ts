import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const fileOf = (name: string) => `tests/e2e/${name}.test.ts`;

/** Journeys that change what the site shows: they are made alone, when the others are over. */
const EDITING = ["alerts", "edited-pages", "live"].map(fileOf);

/** Begun last, one of these would be made alone while the other worker has nothing left to do. */
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

/** Journeys in a real browser against a running site: `BASE_URL=http://localhost:8080`. */
export default defineConfig({
  test: {
    tags: [{ name: "every-browser", description: "also made in Firefox" }],
    // Vitest gives `BASE_URL` a meaning of its own inside tests.
    env: { SITE_URL: (process.env.BASE_URL ?? "http://localhost:8080").replace(/\/$/, "") },
    // Limits, not promises: a small machine that is busy with something else gets there too.
    testTimeout: 180_000,
    // Of some five hundred journeys on a busy machine one fails now and then: it is made once more, and
    // told of. What fails twice fails.
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
          maxWorkers: 2,
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
