import { asRecord, textOf } from "#app/lib/api/answer.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** The source of figures. Many figures share one, so it is stored once. */
export interface Source {
  readonly name: string;
  /** The day on which they were entered: `2026-11-25`; empty if it is invalid. */
  readonly date: string;
}

/** The units by the editors' names; any other unit means euros. */
const UNITS = new Map<unknown, Figure["unit"]>([
  ["percent", "%"],
  ["per_mille_of_band", "‰"],
  ["years", "years"],
]);

/** A figure that the editors maintain. */
export interface Figure {
  readonly label: string;
  readonly value: number;
  /** Undefined for euros, since these figures are part of the document of every home. */
  readonly unit: "%" | "‰" | "years" | undefined;
  /** An index of `sources`. */
  readonly source: number;
  readonly above: number | undefined;
  readonly upTo: number | undefined;
}

/** A figure that is selected by its name. */
export interface NamedFigure extends Figure {
  readonly key: string;
}

/** A band of a price, of which a fee is so many thousandths. */
export type Band = Omit<Figure, "unit">;

/** A fee that grows by bands: a base amount, then so many thousandths of each band. */
export interface Scale {
  readonly base: Figure;
  readonly bands: readonly Band[];
  readonly most: Figure | undefined;
}

/** The figures from which the costs of buying in Andalusia are calculated. */
export interface PurchaseFigures {
  readonly sources: readonly Source[];
  /** Rates of the transfer tax: the general one first, then those for certain buyers or prices. */
  readonly transfer: readonly [general: NamedFigure, ...special: NamedFigure[]];
  readonly homeVat: Figure;
  readonly otherVat: Figure;
  readonly stampDuty: Figure;
  readonly notary: Scale;
  readonly registry: Scale;
  readonly lawyer: Figure | undefined;
  /** The VAT on the fees of lawyer, notary and registry. */
  readonly feesVat: Figure | undefined;
}

/** The defaults of the mortgage calculator. */
export interface MortgageFigures {
  readonly sources: readonly Source[];
  readonly example: Figure;
  readonly years: number;
  readonly annualRate: number;
  /** The maximum age of a borrower when the last payment is due. */
  readonly lastAge: Figure | undefined;
  /** The minimum price for which banks lend. */
  readonly leastPrice: Figure | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** The groups of figures that the calculators use. */
const GROUPS = ["purchase_taxes", "notary_scale", "registry_scale", "lawyer", "mortgage"];

interface CostFigures {
  readonly purchase: PurchaseFigures | undefined;
  readonly mortgage: MortgageFigures | undefined;
}

/** Queries taxes, fees and rates, as far as the editors maintain them. */
export function figuresQuery(locale: Locale): ApiQuery<CostFigures> {
  return apiQuery("/api/figures", { query: { locale, group: GROUPS } }, ({ figures }) => ({
    purchase: purchaseFigures(figures),
    mortgage: mortgageFigures(figures),
  }));
}

/**
 * Returns the figures for purchase costs, or undefined if the editors have not entered all of the required
 * ones.
 */
export function purchaseFigures(raw: unknown): PurchaseFigures | undefined {
  const sources: Source[] = [];
  const taxes = figures(raw, "purchase_taxes", sources);
  const [general, homeVat, otherVat, stampDuty] = [
    "itp_general",
    "iva_new_home",
    "iva_other_new",
    "ajd_new_home",
  ].map((key) => taxes.find((figure) => figure.key === key));
  const notary = scale(raw, "notary", sources);
  const registry = scale(raw, "registry", sources);
  if (!general || !homeVat || !otherVat || !stampDuty || !notary || !registry) return undefined;
  const fees = figures(raw, "lawyer", sources);
  const special = taxes.filter(({ key }) => key.startsWith("itp_") && key !== general.key);
  return {
    sources,
    transfer: [general, ...special],
    homeVat: unnamed(homeVat),
    otherVat: unnamed(otherVat),
    stampDuty: unnamed(stampDuty),
    notary,
    registry,
    lawyer: find(fees, "lawyer_fee"),
    feesVat: find(fees, "iva_added"),
  };
}

/** Returns the figures for a mortgage, or undefined if the editors have entered no example. */
export function mortgageFigures(raw: unknown): MortgageFigures | undefined {
  const entry = entries(raw, "mortgage").find(({ key }) => key === "mortgage_example");
  const sources: Source[] = [];
  const all = figures(raw, "mortgage", sources);
  const example = find(all, "mortgage_example");
  const years = entry && number(entry.years);
  const annualRate = entry && number(entry.annual_rate);
  if (!example || years === undefined || annualRate === undefined) return undefined;
  return {
    sources,
    example,
    years,
    annualRate,
    lastAge: find(all, "mortgage_last_age"),
    leastPrice: find(all, "mortgage_least_price"),
  };
}

function scale(raw: unknown, name: string, sources: Source[]): Scale | undefined {
  const all = figures(raw, `${name}_scale`, sources);
  const base = find(all, `${name}_base`);
  const bands = all.filter(({ key }) => key.startsWith(`${name}_band`));
  const isBounded = bands.length > 0 && bands.every(({ above }) => above !== undefined);
  if (!base || !isBounded) return undefined;
  return {
    base,
    bands: bands.map(({ key: _, unit: __, ...band }) => band),
    most: find(all, `${name}_maximum`),
  };
}

function find(all: readonly NamedFigure[], name: string): Figure | undefined {
  const found = all.find(({ key }) => key === name);
  return found && unnamed(found);
}

function unnamed({ key: _, ...figure }: NamedFigure): Figure {
  return figure;
}

function figures(raw: unknown, group: string, sources: Source[]): NamedFigure[] {
  return entries(raw, group).flatMap((entry) => figure(entry, sources) ?? []);
}

function figure(entry: Json, sources: Source[]): NamedFigure | undefined {
  const value = number(entry.value);
  if (value === undefined) return undefined;
  return {
    key: textOf(entry.key),
    label: textOf(entry.label) || textOf(entry.key),
    value,
    unit: UNITS.get(entry.unit),
    source: sourceIndex(sourceOf(entry), sources),
    above: number(entry.above),
    upTo: number(entry.up_to),
  };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function sourceOf(entry: Json): Source {
  const date = textOf(entry.date);
  return { name: textOf(entry.source), date: DAY.test(date) ? date : "" };
}

/** Returns the index of `source` among the known ones, adding it if it is new. */
function sourceIndex(source: Source, known: Source[]): number {
  const index = known.findIndex(({ name, date }) => name === source.name && date === source.date);
  return index < 0 ? known.push(source) - 1 : index;
}

function entries(raw: unknown, group: string): Json[] {
  const list = asRecord(raw)[group];
  return Array.isArray(list) ? list.map(asRecord) : [];
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
