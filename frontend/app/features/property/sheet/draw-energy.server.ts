import type { EnergyLabel } from "#app/lib/api/types.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { SCALE } from "../facts/energy.tsx";
import { energyMessages } from "../facts/energy-messages.ts";
import { labelFigures, labelInWords, unratedWords } from "../facts/energy-words.ts";
import { INK, LINE, MUTED, type Pen, WHITE } from "./pen.server.ts";

const BAR = 9.5;
const STEP = 11;
const SHORTEST = 26;
const LONGER = 8;
/** The width of the scale's column, and of each figure's beside it. */
const COLUMN = 84;
const ARROW = 62;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/**
 * What the energy certificate says, or why there is none: Royal Decree 390/2021 wants it in every
 * offer, and a shop window is one.
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
  const unrated = energy && unratedWords(energy, locale);
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
      const top = scale + row * STEP;
      const length = SHORTEST + row * LONGER;
      pen.pdf.rect(x, top, length, BAR).fill(colour);
      pen.write(letter, x + 4, top + 0.6, { size: 7.5, width: 12 });
    }
    const columns = [
      { name: t.consumption, unit: t.consumptionUnit, letter: rating, value: used },
      // The fonts have no such small figure.
      {
        name: t.emissions,
        unit: t.emissionsUnit.replace("₂", "2"),
        letter: emissionsRating,
        value: emitted,
      },
    ];
    for (const [index, { name, unit, letter, value }] of columns.entries()) {
      const left = x + COLUMN + 10 + index * COLUMN;
      pen.write(name, left, below - 1, { size: 7, width: COLUMN - 4 });
      // Without its letter a figure stands apart from the scale: no row of it is right.
      const apart = letter ? unit : `${value} ${unit}`;
      pen.write(apart, left, below + 8, { size: 6.5, colour: MUTED, width: COLUMN - 4 });
      pen.pdf
        .moveTo(left - 6, below)
        .lineTo(left - 6, scale + 7 * STEP)
        .lineWidth(0.6)
        .stroke(LINE);
      const row = SCALE.findIndex(([each]) => each === letter);
      if (letter && row >= 0) drawArrow(pen, left, scale + row * STEP, value, letter);
    }
  };
  pen.tagged("Figure", draw, { alt: labelInWords(energy, locale) });
}

/** Points at the row of its letter. */
function drawArrow(pen: Pen, x: number, y: number, value: string, letter: string): void {
  const right = x + ARROW;
  const [top, bottom] = [y - 1, y + BAR + 1];
  pen.pdf
    .polygon([x, y + BAR / 2], [x + 6, top], [right, top], [right, bottom], [x + 6, bottom])
    .fill(INK);
  pen.write(value, x + 9, y + 0.4, { size: 8, colour: WHITE, width: ARROW - 24 });
  pen.write(letter, right - 14, y + 0.4, { size: 8, colour: WHITE, width: 12 });
}
