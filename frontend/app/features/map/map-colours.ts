const TOKENS = {
  water: "--water",
  sea: "--sea",
  land: "--sunk",
  paper: "--surface",
  line: "--line",
  border: "--line-strong",
  ink: "--ink",
  muted: "--muted",
  sand: "--sun-wash",
  sun: "--sun",
  leaf: "--leaf",
} as const;

export type MapColours = Record<keyof typeof TOKENS, `#${string}`>;

/**
 * Returns the site's colours at an element in hexadecimal, because the map's style does not support
 * `oklch`.
 */
export function mapColours(element: HTMLElement): MapColours {
  const probe = element.ownerDocument.createElement("i");
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  element.append(probe);
  const entries = Object.entries(TOKENS).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    if (!pen) return [name, "#0000"];
    pen.fillStyle = getComputedStyle(probe).color;
    pen.fillRect(0, 0, 1, 1);
    const channels = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    return [name, `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`];
  });
  probe.remove();
  return Object.fromEntries(entries) as MapColours;
}
