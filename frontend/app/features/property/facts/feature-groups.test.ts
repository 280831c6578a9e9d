import { expect, test } from "vitest";
import { groupedFeatures } from "./feature-groups.ts";

test("features are grouped by topic, each once, unknown ones last", () => {
  expect(groupedFeatures(["helipad", "private-pool", "lift", "pool", "sea-view"])).toEqual([
    { name: "views", features: ["sea-view"] },
    { name: "outdoors", features: ["private-pool"] },
    { name: "access", features: ["lift"] },
    { name: "other", features: ["helipad"] },
  ]);
  expect(groupedFeatures([])).toEqual([]);
});
