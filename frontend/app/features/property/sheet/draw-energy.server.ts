import type { EnergyLabel } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { SCALE } from "../facts/energy.tsx";
import { energyMessages } from "../facts/energy-messages.ts";
import { labelFigures, labelText, unratedText } from "../facts/energy-text.ts";
import { INK, LINE, MUTED, type Pen, WHITE } from "./pen.server.ts";

const BAR_HEIGHT = 9.5;
const ROW_HEIGHT = 11;
const MIN_BAR_WIDTH = 26;
const BAR_WIDTH_STEP = 8;
/** The width of the scale's column, and of each figure's column. */
const COLUMN_WIDTH = 84;
const ARROW_WIDTH = 62;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/**
 * Draws the energy certificate, or why there is none. Royal Decree 390/2021 requires it in every offer, and so in
 * a shop window.
 */
export function drawEnergy(
  pen: Pen,
  energy: EnergyLabel | null | undefined,
  locale: Locale,
  { x, y, width }: Place,
): void {
  const t = messagesFor(energyMessages, locale);
  pen.tagged("H2", () => pen.write(t.title, x, y, { size: 9.5, colour: MUTED, width }));
  const below = y + 16;
  const unrated = energy && unratedText(energy, locale);
  if (!energy || unrated) {
    const { name, text } = unrated ?? { name: t.none, text: "" };
    pen.tagged("P", () => {
      const next = pen.write(name, x, below, { size: 13, width });
      pen.write(text, x, next + 2, { size: 9, colour: MUTED, width, lines: 3 });
    });
    return;
  }
  const { rating, emissionsRating } = energy;
  const { used = "", emitted = "" } = labelFigures(energy, locale);
  const draw = () => {
    const scale = below + 20;
    for (const [row, [letter, colour]] of SCALE.entries()) {
      const top = scale + row * ROW_HEIGHT;
      const length = MIN_BAR_WIDTH + row * BAR_WIDTH_STEP;
      pen.pdf.rect(x, top, length, BAR_HEIGHT).fill(colour);
      pen.write(letter, x + 4, top + 0.6, { size: 7.5, width: 12 });
    }
    const columns = [
      { name: t.consumption, unit: t.consumptionUnit, letter: rating, value: used },
      // The fonts have no subscript 2.
      {
        name: t.emissions,
        unit: t.emissionsUnit.replace("₂", "2"),
        letter: emissionsRating,
        value: emitted,
      },
    ];
    for (const [index, { name, unit, letter, value }] of columns.entries()) {
      const left = x + COLUMN_WIDTH + 10 + index * COLUMN_WIDTH;
      pen.write(name, left, below - 1, { size: 7, width: COLUMN_WIDTH - 4 });
      // Without a letter, no row of the scale is right for a figure, so it is shown in the header.
      const unitText = letter ? unit : `${value} ${unit}`;
      pen.write(unitText, left, below + 8, { size: 6.5, colour: MUTED, width: COLUMN_WIDTH - 4 });
      pen.pdf
        .moveTo(left - 6, below)
        .lineTo(left - 6, scale + 7 * ROW_HEIGHT)
        .lineWidth(0.6)
        .stroke(LINE);
      const row = SCALE.findIndex(([each]) => each === letter);
      if (letter && row >= 0) drawArrow(pen, left, scale + row * ROW_HEIGHT, value, letter);
    }
  };
  pen.tagged("Figure", draw, { alt: labelText(energy, locale) });
}

/** Draws an arrow that points at the row of its letter. */
function drawArrow(pen: Pen, x: number, y: number, value: string, letter: string): void {
  const right = x + ARROW_WIDTH;
  const [top, bottom] = [y - 1, y + BAR_HEIGHT + 1];
  pen.pdf
    .polygon([x, y + BAR_HEIGHT / 2], [x + 6, top], [right, top], [right, bottom], [x + 6, bottom])
    .fill(INK);
  pen.write(value, x + 9, y + 0.4, { size: 8, colour: WHITE, width: ARROW_WIDTH - 24 });
  pen.write(letter, right - 14, y + 0.4, { size: 8, colour: WHITE, width: 12 });
}
