import { expect, test } from "vitest";
import { project } from "#app/lib/map/projection.ts";
import { toScreen } from "./camera.ts";
import { roomyLabels } from "./labels.ts";

const size = { width: 700, height: 600 };

test.each([10, 11, 13])("at zoom %d no name stands on another or is cut off", (zoom) => {
  const camera = { ...project({ lat: 36.78, lng: -3.93 }), zoom };
  const labels = roomyLabels(camera, size);
  expect(labels.map(({ name }) => name)).toContain("Nerja");
  const spots = labels.map((label) => ({ ...label, ...toScreen(camera, size, project(label)) }));
  for (const [index, label] of spots.entries()) {
    const half = label.name.length * 3.3;
    expect(label.x - half).toBeGreaterThan(0);
    expect(label.x + half).toBeLessThan(size.width);
    for (const other of spots.slice(index + 1)) {
      const apart =
        Math.abs(other.y - label.y) > 20 ||
        Math.abs(other.x - label.x) > half + other.name.length * 3.3;
      expect([label.name, other.name, apart]).toEqual([label.name, other.name, true]);
    }
  }
});
