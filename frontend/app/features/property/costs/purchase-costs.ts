import type { Figure, NamedFigure, PurchaseFigures, Scale } from "#app/lib/property/figures.ts";

/** What is bought, as far as its taxes go. */
export interface Purchase {
  readonly price: number;
  /** Sold for the first time, by a business, and so with VAT. */
  readonly newBuild: boolean;
  /** Whether it is a home: land, premises and garages are taxed otherwise when they are new. */
  readonly home: boolean;
  /** The key of the transfer tax's rate that the buyer has a right to. */
  readonly transferRate: string;
}

interface CostLine {
  readonly figure: Figure;
  readonly amount: number;
}

interface PurchaseCosts {
  readonly taxes: readonly CostLine[];
  /** By the bare scale: real bills usually come out higher. */
  readonly notary: number;
  readonly registry: number;
  readonly lawyer: number | undefined;
  /** On the three before it. */
  readonly feesVat: number | undefined;
  readonly total: number;
}

/** What is due beside the price: each in whole euros, as it is shown, so that the lines add up. */
export function purchaseCosts(purchase: Purchase, figures: PurchaseFigures): PurchaseCosts {
  const { price } = purchase;
  const taxes = taxesOn(purchase, figures).map((figure) => ({
    figure,
    amount: Math.round(percentOf(price, figure)),
  }));
  const fees = {
    notary: byScale(price, figures.notary),
    registry: byScale(price, figures.registry),
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

/** The transfer tax on what was owned before; VAT and stamp duty on what is new. */
function taxesOn({ price, newBuild, home, transferRate }: Purchase, figures: PurchaseFigures) {
  if (newBuild) return [home ? figures.homeVat : figures.otherVat, figures.stampDuty];
  const open = openRates(price, home, figures);
  return [open.find(({ key }) => key === transferRate) ?? figures.transfer[0]];
}

/** The transfer tax's rates that a price leaves open; the special ones are for homes alone. */
export function openRates(
  price: number,
  home: boolean,
  { transfer: [general, ...special] }: PurchaseFigures,
): NamedFigure[] {
  if (!home) return [general];
  return [general, ...special.filter(({ upTo }) => upTo === undefined || price <= upTo)];
}

/** A fee by bands, to the cent. */
export function byScale(price: number, { base, bands, most }: Scale): number {
  const fee = bands.reduce((sum, { above = 0, upTo = Number.POSITIVE_INFINITY, value }) => {
    const inBand = Math.max(0, Math.min(price, upTo) - above);
    return sum + (inBand * value) / 1_000;
  }, base.value);
  return cents(Math.min(fee, most?.value ?? Number.POSITIVE_INFINITY));
}

function percentOf(price: number, { value }: Figure): number {
  return cents((price * value) / 100);
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
