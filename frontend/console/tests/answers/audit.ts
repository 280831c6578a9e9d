import type { AuditLine } from "#console/lib/api/types.ts";
import { ago } from "./common.ts";

export function audit(): AuditLine[] {
  const target = JSON.stringify({ tags: ["property:AH-1042", "list:properties"] });
  const lines = [
    ["sign-in", "luis", "done"],
    ["site/purge", target, "begun"],
    ["site/purge", target, "done (200)"],
    ["projections/rebuild", "", "begun"],
    ["projections/rebuild", "", "refused (409) one is under way"],
  ] as const;
  return lines
    .map(([action, about, outcome], index) => ({
      id: index + 1,
      at: ago(3_600 - index * 60),
      operator: "luis",
      action,
      target: about,
      outcome,
      address: "10.0.0.4",
      begun: null,
    }))
    .reverse();
}
