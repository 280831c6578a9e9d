import { createCanvas } from "@napi-rs/canvas";
import { expect, test, vi } from "vitest";
import type { PropertyDetail, SiteSettings } from "#app/lib/api/types.ts";
import { purchaseFigures } from "#app/lib/property/figures.ts";
import { readSheet } from "../../../../tests/sheet-file.ts";
import { drawSheet, type Sheet, type SheetPicture } from "./draw-sheet.server.ts";

// Only a safety limit: each sheet is fully rendered, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const property = {
  ref: "AH-1042",
  kind: "village-house",
  title: "Village house with a roof terrace",
  summary: "Three bedrooms on two floors, five minutes from the square.",
  language: "en",
  location: { slug: "frigiliana", name: "Frigiliana" },
  status: "under_offer",
  newBuild: false,
  price: 385_000,
  previousPrice: 399_000,
  bedrooms: 3,
  bathrooms: 2,
  builtArea: 124,
  terraceArea: 30,
  yearBuilt: 1987,
  features: ["pool", "communal-pool", "air-conditioning"],
  annualCosts: { communityFees: 1_140, ibi: 512, garbage: 120 },
  energy: { rating: "E", consumption: 154.2, emissions: 31, emissionsRating: "D" },
  updatedAt: "2026-11-20T10:00:00Z",
  images: [],
} as unknown as PropertyDetail;

const settings = {
  companyName: "Almijara Homes",
  phones: ["+34 951 550 101", "+34 951 550 102"],
  emails: ["hello@almijarahomes.example"],
  street: "Peñoncillo, local 4",
  postalCode: "29793",
  town: "Torrox Costa",
} as unknown as SiteSettings;

/** The part of the editors' figures that a price note uses. */
const figures = purchaseFigures({
  purchase_taxes: [
    { key: "itp_general", value: 7, unit: "percent" },
    { key: "iva_new_home", value: 10, unit: "percent" },
    { key: "iva_other_new", value: 21, unit: "percent" },
    { key: "ajd_new_home", value: 1.2, unit: "percent" },
  ],
  notary_scale: [
    { key: "notary_base", value: 90.15 },
    { key: "notary_band_1", value: 4.5, above: 0 },
  ],
  registry_scale: [
    { key: "registry_base", value: 24.04 },
    { key: "registry_band_1", value: 1.75, above: 0 },
  ],
});

const ADDRESS = "https://homes.example/property-for-sale/frigiliana/AH-1042";

function picture(colour: string, alt: string): SheetPicture {
  const canvas = createCanvas(1280, 853);
  const context = canvas.getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1280, 853);
  return { jpeg: canvas.toBuffer("image/jpeg"), alt };
}

const PICTURES = [picture("#a33", "The terrace"), picture("#3a3", "The kitchen")];

const notices = [
  { name: "deposit", title: "Before any deposit", text: "Not on paper." },
  { name: "sheet", title: "Information sheet", text: "Ask for it: Decree 218/2005." },
] as const;

const sheet = (changed: Partial<Sheet> = {}): Sheet => ({
  property,
  settings,
  figures,
  notices,
  locale: "en",
  address: ADDRESS,
  pictures: PICTURES,
  ...changed,
});
const read = async (changed?: Partial<Sheet>) => readSheet(await drawSheet(sheet(changed)));

test("a sheet is one page that states what is for sale, the price, and the agency", async () => {
  const { pages, text, title } = await read();
  expect(pages).toBe(1);
  expect(title).toBe("Village house with a roof terrace · AH-1042");
  for (const words of [
    "Reference AH-1042",
    "Village house in Frigiliana",
    property.title,
    property.summary,
    "Reserved",
    "€385,000",
    "Was €399,000",
    "does not include taxes or purchase costs (ITP 7%; notary; registry).",
    "Yearly costs: Community fees €1,140 · IBI (property tax) €512 · Rubbish collection €120 · Total €1,772",
    "Bedrooms 3",
    "124 m²",
    "Shared pool",
    "hello@almijarahomes.example",
    "+34 951 550 101",
    "29793 Torrox Costa",
    "Decree 218/2005",
  ]) {
    expect(text).toContain(words);
  }
});

test("its code opens the home's page", async () => {
  expect((await read()).code).toBe(ADDRESS);
  // An address as long as the longest reference and place can make it.
  const long = `${ADDRESS}${"x".repeat(60)}`;
  expect((await read({ address: long })).code).toBe(long);
});

test("in Spanish all of it is in Spanish, except what is not translated", async () => {
  const { language, text, alternatives } = await read({ locale: "es" });
  expect(language).toBe("es-ES");
  for (const words of ["Referencia AH-1042", "Casa de pueblo en Frigiliana", "385.000 €"]) {
    expect(text.replaceAll("\u00a0", " ")).toContain(words);
  }
  expect(text).toContain("Calificación energética");
  expect(alternatives.join(" ")).toContain("Consumo de energía: 154,2 kWh/m² año.");
  expect(text).not.toMatch(/Bedrooms|Reference|Energy|Scan/);
});

test("screen readers get everything as text", async () => {
  const { tagged, language, alternatives, scripted } = await read();
  expect([tagged, language, scripted]).toEqual([true, "en-GB", false]);
  expect(alternatives).toEqual([
    "The terrace",
    "The kitchen",
    expect.stringContaining("Rated E. Energy consumption: 154.2 kWh/m² a year."),
    `QR code that opens ${ADDRESS}`,
  ]);
});

test("its fonts are the site's own, and embedded", async () => {
  const { fonts } = await read();
  expect(fonts).toHaveLength(2);
  for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+(Fraunces|HankenGrotesk)/);
});

test("the energy rating is shown, or why there is none", async () => {
  const of = async (energy: PropertyDetail["energy"], kind: PropertyDetail["kind"] = "villa") =>
    (await read({ property: { ...property, kind, energy } as PropertyDetail })).text;
  expect(await of({ rating: "in_process" })).toContain("In process");
  expect(await of({ rating: "exempt", exemption: "demolition_or_renovation" })).toContain(
    "Building sold to be demolished",
  );
  expect(await of(null)).toContain("Not stated");
  expect(await of(null, "land")).not.toMatch(/Energy|Not stated/);
});

test("the price note names the taxes that apply, or none if the editors entered no figures", async () => {
  const note = async (changed: Partial<PropertyDetail>, more: Partial<Sheet> = {}) => {
    const { text } = await read({ property: { ...property, ...changed }, ...more });
    return /(?:The price|El precio) [^.(]*(?:\([^)]*\))?\./.exec(
      text.replaceAll("\u00a0", " "),
    )?.[0];
  };
  const without = "The price does not include taxes or purchase costs";
  expect(await note({ newBuild: true })).toBe(
    `${without} (VAT 10% and AJD 1.2%; notary; registry).`,
  );
  expect(await note({ kind: "garage" })).toBe(
    `${without} (ITP 7%, or VAT 21% and AJD 1.2% when a business sells it for the first time; notary; registry).`,
  );
  expect(await note({ kind: "land" })).toBe(
    `${without} (ITP 7%, or VAT 21% and AJD 1.2% when a business sells building land; notary; registry).`,
  );
  expect(await note({}, { figures: undefined })).toBe(`${without}.`);
  expect(await note({}, { locale: "es" })).toBe(
    "El precio no incluye impuestos ni gastos de compra (ITP 7 %; notaría; registro).",
  );
});

test("a home with minimal data has a sheet too, and one with too much text still one page", async () => {
  const bare = {
    ...property,
    price: null,
    previousPrice: null,
    bedrooms: null,
    bathrooms: null,
    builtArea: null,
    terraceArea: null,
    yearBuilt: null,
    features: [],
    energy: null,
    annualCosts: {},
  } as PropertyDetail;
  const { pages, text } = await read({ property: bare, pictures: [] });
  expect([pages, text.includes("Price on request")]).toEqual([1, true]);
  expect(text).not.toContain("Yearly costs");
  const many = "A very long story about a house. ".repeat(40);
  const full = { ...property, title: many, summary: many, price: 123_456_789 } as PropertyDetail;
  const long = await read({ property: full, pictures: [...PICTURES, ...PICTURES] });
  expect([long.pages, long.code]).toEqual([1, ADDRESS]);
});

test("the same home makes the same file", async () => {
  const [first, second] = await Promise.all([drawSheet(sheet()), drawSheet(sheet())]);
  expect(Buffer.compare(first, second)).toBe(0);
});
