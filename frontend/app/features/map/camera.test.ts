import { expect, test } from "vitest";
import { project, within } from "#app/lib/map/projection.ts";
import { FRAME } from "#app/lib/map/shore.gen.ts";
import {
  between,
  type Camera,
  fitted,
  fromScreen,
  held,
  MOST_ZOOM,
  pushed,
  seen,
  toScreen,
  zoomedAt,
} from "./camera.ts";

const size = { width: 800, height: 600 };
const nerja = { lat: 36.75, lng: -3.878 };
const camera: Camera = { ...project(nerja), zoom: 12.3 };

test("what is in the middle is in the middle, and there and back is the same place", () => {
  expect(toScreen(camera, size, project(nerja))).toEqual({ x: 400, y: 300 });
  const pixel = { x: 13, y: 570 };
  const back = toScreen(camera, size, fromScreen(camera, size, pixel));
  expect(back.x).toBeCloseTo(pixel.x, 4);
  expect(back.y).toBeCloseTo(pixel.y, 4);
});

test("the ground goes with the hand", () => {
  const { x, y } = toScreen(pushed(camera, { x: 30, y: -20 }), size, project(nerja));
  expect(x).toBeCloseTo(430, 6);
  expect(y).toBeCloseTo(280, 6);
});

test("what is under the pointer stays there while zooming", () => {
  const pixel = { x: 100, y: 200 };
  const point = fromScreen(camera, size, pixel);
  const { x, y } = toScreen(zoomedAt(camera, size, 14, pixel), size, point);
  expect(x).toBeCloseTo(100, 4);
  expect(y).toBeCloseTo(200, 4);
});

test("a cluster's zoom shows all of its homes, as near as it can", () => {
  const bounds = { west: -3.96, south: 36.73, east: -3.9, north: 36.76 };
  const shown = seen(fitted(bounds, size), size);
  expect(within(shown, { lat: bounds.north, lng: bounds.west })).toBe(true);
  expect(within(shown, { lat: bounds.south, lng: bounds.east })).toBe(true);
  const nearer = fitted(bounds, size);
  const tooNear = seen({ ...nearer, zoom: nearer.zoom + 0.5 }, size);
  expect(within(tooNear, { lat: bounds.north, lng: bounds.west })).toBe(false);
});

test("homes at one place are looked at from no nearer than is of use", () => {
  const point = { west: -3.9, east: -3.9, south: 36.75, north: 36.75 };
  const { x, y, zoom } = fitted(point, size);
  expect(zoom).toBe(MOST_ZOOM);
  expect({ x, y }).toEqual(project({ lat: 36.75, lng: -3.9 }));
});

test("nobody is led to where there is no ground", () => {
  for (const astray of [
    { x: 0, y: 0, zoom: 2 },
    { x: 1, y: 1, zoom: 11 },
    { ...project({ lat: FRAME.north, lng: FRAME.east }), zoom: 30 },
  ]) {
    const kept = held(astray, size, FRAME);
    const { west, south, east, north } = seen(kept, size);
    expect(kept.zoom).toBeLessThanOrEqual(MOST_ZOOM);
    expect(west).toBeGreaterThan(FRAME.west - 1e-6);
    expect(east).toBeLessThan(FRAME.east + 1e-6);
    expect(south).toBeGreaterThan(FRAME.south - 1e-6);
    expect(north).toBeLessThan(FRAME.north + 1e-6);
  }
  expect(held(camera, size, FRAME)).toEqual(camera);
});

test("the way begins where it begins, ends where it ends, and zooms about one point", () => {
  const pixel = { x: 650, y: 90 };
  const there = zoomedAt(camera, size, 13.6, pixel);
  for (const [share, end] of [
    [0, camera],
    [1, there],
  ] as const) {
    const { x, y, zoom } = between(camera, there, share);
    expect(x).toBeCloseTo(end.x, 12);
    expect(y).toBeCloseTo(end.y, 12);
    expect(zoom).toBeCloseTo(end.zoom, 12);
  }
  const fixed = fromScreen(camera, size, pixel);
  const half = toScreen(between(camera, there, 0.5), size, fixed);
  expect(half.x).toBeCloseTo(650, 4);
  expect(half.y).toBeCloseTo(90, 4);
  const aside = pushed(camera, { x: 100, y: 0 });
  expect(toScreen(between(camera, aside, 0.5), size, project(nerja)).x).toBeCloseTo(450, 6);
});
