import encodeQR from "qr";
import type { Picture, PropertyDetail, SiteSettings } from "#app/lib/api/types.ts";
import { formatPrice } from "#app/lib/format/format.ts";
import { foreignTag, LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { needsEnergyRating } from "#app/lib/property/energy.ts";
import type { PurchaseFigures } from "#app/lib/property/figures.ts";
import { distinctFeatures, featureName } from "#app/lib/vocabulary/feature-names.ts";
import { kindNames, markNames, statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { annualCostsOf } from "../costs/annual-costs.tsx";
import { detailMessages } from "../detail-messages.ts";
import { factsOf } from "../facts/facts-of.ts";
import type { Notice } from "../facts/notices.ts";
import { sectionMessages } from "../facts/section-messages.ts";
import { propertyMessages } from "../messages.ts";
import { reductionOf } from "../price/price-difference.ts";
import { priceNoteOf } from "../price/price-note.tsx";
import { drawEnergy } from "./draw-energy.server.ts";
import { INK, LINE, MUTED, PAPER, Pen, SUN, WHITE } from "./pen.server.ts";
import { sheetMessages } from "./sheet-messages.ts";

/** The minimum margin that printers leave white, in points. */
const MARGIN = 34;
const WIDTH = PAPER.width - 2 * MARGIN;
const RIGHT = PAPER.width - MARGIN;
const GAP = 8;
const GALLERY = { top: 70, height: 264 };
/** The width of the narrow right column: the small images, and the price below them. */
const ASIDE = 168;
const MAIN = WIDTH - ASIDE - GAP;
/** How far the energy label extends into the wide column. */
const ENERGY_OVERLAP = 84;
const TEXT_TOP = 353;
const FACTS_TOP = 524;
const MAX_FACTS = 6;
const DETAILS_TOP = 578;
/** The number of lines in each of the two columns of features. */
const FEATURE_LINES = 6;
const FEATURE_STEP = 15.5;
const COSTS_TOP = 696;
const FOOTER = { top: 716, height: 92 };

export interface SheetPicture extends Pick<Picture, "alt"> {
  readonly jpeg: Uint8Array;
}

export interface Sheet {
  readonly property: PropertyDetail;
  readonly settings: SiteSettings;
  readonly locale: Locale;
  /** The figures of the purchase costs, if the editors entered them. */
  readonly figures: PurchaseFigures | undefined;
  /** The notices that the law requires beside an offer. */
  readonly notices: readonly Notice[];
  /** The URL of the page, which the QR code opens. */
  readonly address: string;
  /** The first is large, up to two more are beside it. */
  readonly pictures: readonly SheetPicture[];
}

/** Draws the shop window sheet of a home: one A4 page, as a tagged PDF. */
export function drawSheet(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  const { property, settings, locale } = sheet;
  const t = messagesFor(sheetMessages, locale);
  const pen = new Pen({
    title: `${property.title} · ${property.ref}`,
    about: t.about(property.ref, property.location.name),
    author: settings.companyName,
    language: LANGUAGE_TAG[locale],
    changedAt: new Date(property.updatedAt),
  });
  drawHead(pen, sheet);
  drawGallery(pen, sheet);
  drawText(pen, sheet);
  drawPrice(pen, sheet);
  drawFacts(pen, sheet);
  drawFeatures(pen, sheet);
  if (needsEnergyRating(property.kind)) {
    drawEnergy(pen, property.energy, locale, {
      // Without features beside it, it starts at the left margin.
      x: property.features.length > 0 ? MARGIN + MAIN - ENERGY_OVERLAP : MARGIN,
      y: DETAILS_TOP,
      width: ASIDE + GAP + ENERGY_OVERLAP,
    });
  }
  drawCosts(pen, sheet);
  drawFooter(pen, sheet);
  drawNotes(pen, sheet);
  return pen.end();
}

function drawHead(pen: Pen, { property, settings, locale }: Sheet): void {
  const d = messagesFor(detailMessages, locale);
  pen.decoration(() => {
    const { pdf } = pen;
    // The drawing of the site's logo: an arch with the sun behind it.
    pdf.circle(MARGIN + 20, 39, 8).fill(SUN);
    pdf.path(`M${MARGIN} 58V45a10 10 0 0 1 20 0v13Z`).fill(INK);
    pdf.path(`M${MARGIN + 6} 58V47a4 4 0 0 1 8 0v11Z`).fill(WHITE);
  });
  const name = { font: "display", size: 23, width: 330 } as const;
  pen.tagged("P", () => pen.write(settings.companyName, MARGIN + 36, 31, name));
  pen.tagged("P", () =>
    pen.write(`${d.reference} ${property.ref}`, RIGHT - 160, 40, {
      size: 12,
      colour: MUTED,
      width: 160,
      align: "right",
    }),
  );
}

function drawGallery(pen: Pen, { pictures }: Sheet): void {
  const [first, second, third] = pictures;
  const { top, height } = GALLERY;
  const half = (height - GAP) / 2;
  const aside = MARGIN + MAIN + GAP;
  if (first) drawPicture(pen, first, MARGIN, top, second ? MAIN : WIDTH, height);
  if (second) drawPicture(pen, second, aside, top, ASIDE, third ? half : height);
  if (third) drawPicture(pen, third, aside, top + half + GAP, ASIDE, half);
}

function drawPicture(
  pen: Pen,
  { jpeg, alt }: SheetPicture,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const draw = () => {
    pen.pdf.save().roundedRect(x, y, width, height, 7).clip();
    pen.pdf.image(Buffer.from(jpeg), x, y, {
      cover: [width, height],
      align: "center",
      valign: "center",
    });
    pen.pdf.restore();
  };
  pen.tagged("Figure", draw, { alt });
}

function drawText(pen: Pen, { property, locale }: Sheet): void {
  const t = messagesFor(propertyMessages, locale);
  const { kind, location, title, summary, language } = property;
  const lang = foreignTag(language, locale);
  const place = t.place(messagesFor(kindNames, locale)[kind], location.name);
  const width = MAIN - 12;
  let y = TEXT_TOP;
  pen.tagged("P", () => {
    y = pen.write(place, MARGIN, y, { size: 12, colour: MUTED, width }) + 3;
  });
  const heading = () => {
    y = pen.write(title, MARGIN, y, { font: "display", size: 26, width, lines: 2 }) + 8;
  };
  pen.tagged("H1", heading, { lang });
  const text = () => pen.write(summary, MARGIN, y, { size: 12, width, lines: 4 });
  pen.tagged("P", text, { lang });
}

function drawPrice(pen: Pen, { property, figures, locale }: Sheet): void {
  const t = messagesFor(propertyMessages, locale);
  const { price, previousPrice, status, newBuild } = property;
  const marks = messagesFor(markNames, locale);
  const x = MARGIN + MAIN + GAP;
  const width = ASIDE;
  let y = TEXT_TOP;
  const states = [
    status === "for_sale" ? "" : messagesFor(statusNames, locale)[status],
    newBuild ? marks.newBuild : "",
  ].filter(Boolean);
  if (states.length > 0) {
    const text = states.join(" · ");
    const style = pen.fitted(text, { size: 12, width: width - 20 });
    const badge = pen.widthOf(text, style) + 20;
    pen.decoration(() => pen.pdf.roundedRect(x, y - 5, badge, 23, 11.5).fill(SUN));
    pen.tagged("P", () => pen.write(text, x + 10, y - 1, style));
    y += 26;
  }
  const text = price == null ? t.priceOnRequest : formatPrice(locale, price);
  const style = pen.fitted(text, { font: "display", size: 33, width });
  pen.tagged("P", () => {
    y = pen.write(text, x, y - 3, style) + 2;
  });
  const reduction = reductionOf(price, previousPrice);
  if (reduction && previousPrice) {
    const before = t.previousPrice(formatPrice(locale, previousPrice));
    pen.tagged("P", () => {
      y = pen.write(before, x, y, { size: 12, colour: MUTED, width }) + 4;
    });
  }
  const note = priceNoteOf(property, figures, locale);
  pen.tagged("P", () => pen.write(note, x, y, { size: 8.5, colour: MUTED, width, lines: 6 }));
}

function drawFacts(pen: Pen, { property, locale }: Sheet): void {
  const facts = factsOf(property, locale).slice(0, MAX_FACTS);
  const width = WIDTH / Math.max(facts.length, 4);
  pen.decoration(() => drawRule(pen, FACTS_TOP - 10));
  for (const [index, { name, value }] of facts.entries()) {
    const x = MARGIN + index * width;
    pen.tagged("P", () => {
      const label = { size: 8.5, colour: MUTED, width: width - 6 } as const;
      pen.write(name, x, FACTS_TOP, pen.fitted(name, label));
      pen.write(String(value), x, FACTS_TOP + 12, { size: 16, width: width - 4 });
    });
  }
  pen.decoration(() => drawRule(pen, FACTS_TOP + 42));
}

function drawRule({ pdf }: Pen, y: number): void {
  pdf.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.6).stroke(LINE);
}

function drawFeatures(pen: Pen, { property, locale }: Sheet): void {
  const features = distinctFeatures(property.features).slice(0, 2 * FEATURE_LINES);
  if (features.length === 0) return;
  const width = (MAIN - ENERGY_OVERLAP - 16) / 2;
  const title = messagesFor(sectionMessages, locale).features;
  pen.tagged("H2", () =>
    pen.write(title, MARGIN, DETAILS_TOP, { size: 9.5, colour: MUTED, width }),
  );
  for (const [index, feature] of features.entries()) {
    const x = MARGIN + Math.floor(index / FEATURE_LINES) * width;
    const y = DETAILS_TOP + 17 + (index % FEATURE_LINES) * FEATURE_STEP;
    pen.tagged("P", () =>
      pen.write(featureName(feature, locale), x, y, { size: 11, width: width - 8 }),
    );
  }
}

/** Draws the yearly costs of ownership in one line. */
function drawCosts(pen: Pen, { property, locale }: Sheet): void {
  const { known, total } = annualCostsOf(property.annualCosts, locale);
  if (known.length === 0) return;
  const costs = [...known, ...(total ? [total] : [])]
    .map(({ name, value }) => `${name} ${formatPrice(locale, value)}`)
    .join("  ·  ");
  const text = `${messagesFor(sectionMessages, locale).costs}: ${costs}`;
  const style = pen.fitted(text, { size: 9.5, width: WIDTH });
  pen.tagged("P", () => pen.write(text, MARGIN, COSTS_TOP, style));
}

function drawFooter(pen: Pen, { settings, locale, address }: Sheet): void {
  const t = messagesFor(sheetMessages, locale);
  const { top, height } = FOOTER;
  const code = height - 12;
  pen.decoration(() => {
    pen.pdf.roundedRect(MARGIN, top, WIDTH, height, 9).fill(INK);
    pen.pdf.roundedRect(RIGHT - code - 6, top + 6, code, code, 5).fill(WHITE);
  });
  const x = MARGIN + 18;
  const width = 290;
  pen.tagged("P", () => pen.write(t.ask, x, top + 13, { size: 9.5, colour: SUN, width }));
  const phones = settings.phones.join("  ·  ");
  const number = pen.fitted(phones, { font: "display", size: 19, colour: WHITE, width });
  pen.tagged("P", () => pen.write(phones, x, top + 26, number));
  const town = [settings.postalCode, settings.town].filter(Boolean).join(" ");
  const where = [settings.street, town].filter(Boolean).join(", ");
  for (const [line, text] of [where, settings.emails[0] ?? ""].entries()) {
    const y = top + 55 + line * 13;
    pen.tagged("P", () => pen.write(text, x, y, { size: 9.5, colour: WHITE, width }));
  }
  pen.tagged("P", () =>
    pen.write(t.scan, RIGHT - code - 128, top + 16, {
      size: 10.5,
      colour: WHITE,
      width: 108,
      lines: 5,
      align: "right",
    }),
  );
  const draw = () => drawCode(pen, address, RIGHT - code - 6, top + 6, code);
  pen.tagged("Figure", draw, { alt: t.code(address) });
}

/** Draws the address as a QR code of `size`, including the white border of four modules that readers need. */
function drawCode({ pdf }: Pen, address: string, x: number, y: number, size: number): void {
  const rows = encodeQR(address, "raw", { ecc: "medium", border: 4 });
  const module = size / rows.length;
  for (const [row, cells] of rows.entries()) {
    for (let column = 0; column < cells.length; column += 1) {
      const begin = column;
      while (cells[column]) column += 1;
      const length = column - begin;
      if (length > 0) pdf.rect(x + begin * module, y + row * module, length * module, module);
    }
  }
  pdf.fill(INK);
}

/** Draws the notice that the law requires beside an offer, in small print. */
function drawNotes(pen: Pen, { notices }: Sheet): void {
  const note = notices.find(({ name }) => name === "sheet" || name === "papers");
  if (!note) return;
  const style = { size: 7, colour: MUTED, width: WIDTH, lines: 2 } as const;
  pen.tagged("P", () => pen.write(note.text, MARGIN, FOOTER.top + FOOTER.height + 7, style));
}
