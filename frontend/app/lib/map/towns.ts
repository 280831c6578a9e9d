import type { Spot } from "./projection.ts";

export interface Town extends Spot {
  readonly name: string;
  /** Whether its label is placed in the sea below it. */
  readonly ashore?: boolean;
}

/** Towns for orientation, the most important ones first. */
export const TOWNS: readonly Town[] = [
  { name: "Nerja", lat: 36.75, lng: -3.878, ashore: true },
  { name: "Torrox", lat: 36.758, lng: -3.953 },
  { name: "Torrox Costa", lat: 36.731, lng: -3.957, ashore: true },
  { name: "Frigiliana", lat: 36.791, lng: -3.895 },
  { name: "Cómpeta", lat: 36.834, lng: -3.974 },
  { name: "Torre del Mar", lat: 36.744, lng: -4.094, ashore: true },
];

/** The source of the lines of the drawn maps; its licence (CC BY 4.0) requires attribution. */
export const GROUND_ATTRIBUTION = "© Instituto Geográfico Nacional de España";
