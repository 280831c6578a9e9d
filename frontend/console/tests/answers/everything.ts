import { audit } from "./audit.ts";
import { deliveries, jobs } from "./deliveries.ts";
import { comparison, deadLetters, parked } from "./parked.ts";
import { publishes } from "./publishes.ts";
import { projections, site, sync } from "./stores.ts";
import { emptySearches, notFound, slow, slowRenders } from "./visitors.ts";

/** The initial answers of all roles. Each test has its own copy. */
export function everything() {
  return {
    sync: sync(),
    projections: projections(),
    site: site(),
    publishes: publishes(),
    parked: parked(),
    comparison: comparison(),
    deadLetters: deadLetters(),
    slow: slow(),
    emptySearches: emptySearches(),
    slowRenders: slowRenders(),
    notFound: notFound(),
    jobs: jobs(),
    deliveries: deliveries(),
    audit: audit(),
  };
}

export type Everything = ReturnType<typeof everything>;
