import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawingStyles } from "./drawing-styles.ts";
import type { MapColours } from "./map-colours.ts";

const STYLES = readFileSync(new URL("../../styles/app.css", import.meta.url), "utf8");
const THEMES = ["light", "dark"] as const;

/** Returns the values of a token in both themes, light first: lightness, chroma and hue. */
function token(name: string): number[][] {
  const value = new RegExp(`--${name}: (.*);`).exec(STYLES)?.[1] ?? "";
  return Array.from(value.matchAll(/oklch\(([^)]*)\)/g), ([, parts = ""]) =>
    parts.split(" ").map(Number),
  );
}

/** Returns the relative luminance of a colour, as defined for contrast. */
function luminance([lightness = 0, chroma = 0, hue = 0]: readonly number[]): number {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short;
  const green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short;
  const blue = -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test.each(THEMES)(
  "the outline of an area that is being drawn has enough contrast in the %s theme",
  (theme) => {
    const inTheme = (name: string) => token(name)[THEMES.indexOf(theme)] ?? [];
    // The names replace the colours that the map reads from the page.
    const named = { ink: "#ink", sun: "#sun" } satisfies Partial<MapColours>;
    const line = inTheme(drawingStyles(named).outlineColor.slice(1));
    for (const ground of ["sunk", "water"]) {
      expect([ground, contrast(line, inTheme(ground)) > 3]).toEqual([ground, true]);
    }
  },
);
