import { fieldsOf, textOf } from "#app/lib/api/answer.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type ApiQuery, apiQuery } from "#app/lib/query/api-query.ts";

/** Where to look figures up. Many have one source, so it is told of once. */
export interface Source {
  readonly name: string;
  /** The day that they were entered: `2026-11-25`; nothing where it is none. */
  readonly date: string;
}

/** Short, since these figures stand in the document of every home. */
type Unit = "%" | "‰" | "years" | "€";

/** What the editors call them; what has no other unit is in euros. */
const UNITS = new Map<unknown, Unit>([
  ["percent", "%"],
  ["per_mille_of_band", "‰"],
  ["years", "years"],
]);

/** One figure of the editors'. */
export interface Figure {
  readonly label: string;
  readonly value: number;
  readonly unit: Unit;
  /** Its place among the sources. */
  readonly source: number;
  readonly above: number | undefined;
  readonly upTo: number | undefined;
}

/** One that is chosen, or looked for, by its name. */
export interface NamedFigure extends Figure {
  readonly key: string;
}

/** A fee that grows by bands: so much at first, then so many thousandths of each band. */
export interface Scale {
  readonly base: Figure;
  readonly bands: readonly Figure[];
  readonly most: Figure | undefined;
}

/** What buying in Andalusia is worked out from. */
export interface PurchaseFigures {
  readonly sources: readonly Source[];
  /** Rates of the transfer tax, the general one first; others hold for some buyers or prices. */
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

/** What the mortgage calculator starts with. */
export interface MortgageFigures {
  readonly sources: readonly Source[];
  readonly example: Figure;
  readonly years: number;
  readonly annualRate: number;
  /** How old a borrower is at most when the last payment falls due. */
  readonly lastAge: Figure | undefined;
  /** Banks lend nothing for what costs less. */
  readonly leastPrice: Figure | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** What the calculators work with, of all that the editors keep. */
const GROUPS = ["purchase_taxes", "notary_scale", "registry_scale", "lawyer", "mortgage"];

interface CostFigures {
  readonly purchase: PurchaseFigures | undefined;
  readonly mortgage: MortgageFigures | undefined;
}

/** Taxes, fees and rates, as far as the editors keep them. */
export function figuresQuery(locale: Locale): ApiQuery<CostFigures> {
  return apiQuery("/api/figures", { query: { locale, group: GROUPS } }, ({ figures }) => ({
    purchase: purchaseFigures(figures),
    mortgage: mortgageFigures(figures),
  }));
}

/** The figures for purchase costs, or none while the editors have not given them all. */
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

/** The figures for a mortgage, or none while the editors have given no example. */
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
  return { base, bands: bands.map(unnamed), most: find(all, `${name}_maximum`) };
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
    unit: UNITS.get(entry.unit) ?? "€",
    source: placeOf(sourceOf(entry), sources),
    above: number(entry.above),
    upTo: number(entry.up_to),
  };
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function sourceOf(entry: Json): Source {
  const date = textOf(entry.date);
  return { name: textOf(entry.source), date: DAY.test(date) ? date : "" };
}

/** Where `source` stands among those that are known; it is one of them from now on. */
function placeOf(source: Source, known: Source[]): number {
  const place = known.findIndex(({ name, date }) => name === source.name && date === source.date);
  return place < 0 ? known.push(source) - 1 : place;
}

function entries(raw: unknown, group: string): Json[] {
  const list = fieldsOf(raw)[group];
  return Array.isArray(list) ? list.map(fieldsOf) : [];
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
