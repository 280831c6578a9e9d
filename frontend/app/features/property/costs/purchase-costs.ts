import type { Figure, NamedFigure, PurchaseFigures, Scale } from "#app/lib/property/figures.ts";

/** The properties of a purchase that decide its taxes. */
export interface Purchase {
  readonly price: number;
  /** Whether it is the first sale, by a business, and so taxed with VAT. */
  readonly newBuild: boolean;
  /** Whether it is a home: new land, premises and garages have other taxes. */
  readonly home: boolean;
  /** The key of the transfer tax rate that applies to the buyer. */
  readonly transferRate: string;
}

interface CostLine {
  readonly figure: Figure;
  readonly amount: number;
}

interface PurchaseCosts {
  readonly taxes: readonly CostLine[];
  /** By the official scale only: real bills are usually higher. */
  readonly notary: number;
  readonly registry: number;
  readonly lawyer: number | undefined;
  /** VAT on the three fees above. */
  readonly feesVat: number | undefined;
  readonly total: number;
}

/** Returns the costs on top of the price. Each line is in whole euros, as displayed, so that they add up. */
export function purchaseCosts(purchase: Purchase, figures: PurchaseFigures): PurchaseCosts {
  const { price } = purchase;
  const taxes = taxesOn(purchase, figures).map((figure) => ({
    figure,
    amount: Math.round(percentOf(price, figure)),
  }));
  const fees = {
    notary: scaleFee(price, figures.notary),
    registry: scaleFee(price, figures.registry),
    lawyer: figures.lawyer && percentOf(price, figures.lawyer),
  };
  const net = fees.notary + fees.registry + (fees.lawyer ?? 0);
  const notary = Math.round(fees.notary);
  const registry = Math.round(fees.registry);
  const lawyer = fees.lawyer && Math.round(fees.lawyer);
  const feesVat = figures.feesVat && Math.round(percentOf(net, figures.feesVat));
  const total = taxes.reduce(
    (sum, { amount }) => sum + amount,
    notary + registry + (lawyer ?? 0) + (feesVat ?? 0),
  );
  return { taxes, notary, registry, lawyer, feesVat, total };
}

/** Returns the transfer tax for a resale, or VAT and stamp duty for a new building. */
function taxesOn({ price, newBuild, home, transferRate }: Purchase, figures: PurchaseFigures) {
  if (newBuild) return [home ? figures.homeVat : figures.otherVat, figures.stampDuty];
  const rates = applicableRates(price, home, figures);
  return [rates.find(({ key }) => key === transferRate) ?? figures.transfer[0]];
}

/** Returns the transfer tax rates that can apply at a price; the special rates are only for homes. */
export function applicableRates(
  price: number,
  home: boolean,
  { transfer: [general, ...special] }: PurchaseFigures,
): NamedFigure[] {
  if (!home) return [general];
  return [general, ...special.filter(({ upTo }) => upTo === undefined || price <= upTo)];
}

/** Calculates a fee by its price bands, rounded to the cent. */
export function scaleFee(price: number, { base, bands, most }: Scale): number {
  const fee = bands.reduce((sum, { above = 0, upTo = Number.POSITIVE_INFINITY, value }) => {
    const inBand = Math.max(0, Math.min(price, upTo) - above);
    return sum + (inBand * value) / 1_000;
  }, base.value);
  return roundToCents(Math.min(fee, most?.value ?? Number.POSITIVE_INFINITY));
}

function percentOf(price: number, { value }: Figure): number {
  return roundToCents((price * value) / 100);
}

function roundToCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
