import type { CSSProperties } from "react";
import { type Point, project, type Spot, worldSize } from "#app/lib/map/projection.ts";
import type { Camera, Size } from "./camera.ts";

/**
 * Things on the map are placed from one point in its midst, so that numbers stay small: in shares of
 * the world's width, which is a property of their layer. A layer is moved by its own transform. So
 * the map moves without React rendering anything.
 */
const ORIGIN = project({ lat: 36.75, lng: -3.95 });

/** Units of the drawn ground to the world's width; one is about eight metres. */
const GROUND_UNITS = 2 ** 22;

/** Where the middle of a thing stands in its layer; `shift` moves it by its own size. */
export function placed(spot: Spot, shift = "-50%,-50%"): CSSProperties {
  const { x, y } = project(spot);
  return { transform: `${at(x, y)} translate(${shift})` };
}

/** Where the upper left corner of a square tile stands in its layer, and how large it is. */
export function placedTile({ x, y }: Point, width: number): CSSProperties {
  const side = `calc(var(--world) * ${width})`;
  return { transform: at(x, y), width: side, height: side };
}

function at(x: number, y: number): string {
  return `translate(calc(var(--world) * ${x - ORIGIN.x}),calc(var(--world) * ${y - ORIGIN.y}))`;
}

/** A point in the units of the drawn ground. */
export function onGround(point: Point): Point {
  return { x: (point.x - ORIGIN.x) * GROUND_UNITS, y: (point.y - ORIGIN.y) * GROUND_UNITS };
}

/** Puts all layers (`data-layer`) within an element where the camera sees them. */
export function placeLayers(stage: HTMLElement, camera: Camera, { width, height }: Size): void {
  const world = worldSize(camera.zoom);
  const x = width / 2 + (ORIGIN.x - camera.x) * world;
  const y = height / 2 + (ORIGIN.y - camera.y) * world;
  for (const layer of stage.querySelectorAll<HTMLElement | SVGElement>("[data-layer]")) {
    if (layer instanceof SVGElement) {
      const scale = world / GROUND_UNITS;
      layer.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    } else {
      layer.style.setProperty("--world", `${world}px`);
      layer.style.transform = `translate(${x}px,${y}px)`;
    }
  }
}
