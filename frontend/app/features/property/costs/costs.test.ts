import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Figure, mortgageFigures, purchaseFigures } from "#app/lib/property/figures.ts";
import { repayment, usualDeposit } from "./mortgage.ts";
import { byScale, openRates, type Purchase, purchaseCosts } from "./purchase-costs.ts";

/** The figures that the sample content gives the editors to start from. */
const content = new URL("../../../../../deploy/content/site_settings.json", import.meta.url);
const { figures: raw } = JSON.parse(readFileSync(content, "utf8"));
/** As the API answers in one language. */
function inEnglish(figures: unknown): unknown {
  return JSON.parse(JSON.stringify(figures), (_, value) => value?.["en-GB"] ?? value);
}
const figures = purchaseFigures(inEnglish(raw));
if (!figures) throw new Error("the sample content lacks figures");

const resale = (price: number): Purchase => ({
  price,
  newBuild: false,
  home: true,
  transferRate: "itp_general",
});

describe("purchase costs", () => {
  test.each([
    [250_000, 17_500, 383.43, 201.21],
    [400_000, 28_000, 458.43, 246.21],
  ])("of a resale home at %i are known to the cent", (price, itp, notary, registry) => {
    const costs = purchaseCosts(resale(price), figures);
    expect(costs.taxes.map(({ amount }) => amount)).toEqual([itp]);
    expect(costs).toMatchObject({ notary, registry, lawyer: price / 100 });
    expect(costs.total).toBeCloseTo(itp + notary + registry + price / 100, 2);
  });

  test("of a new home are VAT and stamp duty; of other new buildings the higher VAT", () => {
    const fresh = { ...resale(459_000), newBuild: true };
    const amounts = (purchase: Purchase) =>
      purchaseCosts(purchase, figures).taxes.map(({ amount }) => amount);
    expect(amounts(fresh)).toEqual([45_900, 5_508]);
    expect(amounts({ ...fresh, home: false })).toEqual([96_390, 5_508]);
  });

  test("a special rate holds only for homes, and only up to its price", () => {
    const keys = (price: number, home = true) =>
      openRates(price, home, figures).map(({ key }) => key);
    expect(keys(150_000)).toEqual(["itp_general", "itp_main_home", "itp_groups"]);
    expect(keys(150_001)).toEqual(["itp_general", "itp_groups"]);
    expect(keys(90_000, false)).toEqual(["itp_general"]);
    const main = { ...resale(150_000), transferRate: "itp_main_home" };
    expect(purchaseCosts(main, figures).taxes[0]?.amount).toBe(9_000);
    expect(purchaseCosts({ ...main, price: 200_000 }, figures).taxes[0]?.amount).toBe(14_000);
  });

  test("the scales start at their base, and the registry's ends at its maximum", () => {
    expect(byScale(5_000, figures.notary)).toBe(90.15);
    expect(byScale(5_000, figures.registry)).toBe(24.04);
    expect(byScale(50_000_000, figures.registry)).toBe(2_181.67);
  });
});

describe("the editors' figures", () => {
  test("carry label, source, date and caution", () => {
    expect(figures.transfer[0]).toMatchObject({
      label: "Transfer tax (ITP) on a resale home, general rate",
      value: 7,
    });
    const source = (figure: Figure | undefined) => figures.sources[figure?.source ?? -1];
    expect(source(figures.transfer[0])).toEqual({
      name: "juntadeandalucia.es",
      date: "2026-11-21",
      caution: undefined,
    });
    expect(source(figures.notary.bands[0])).toBe(source(figures.notary.base));
    expect(source(figures.notary.base)).toMatchObject({ caution: true });
    expect(mortgageFigures(inEnglish(raw))).toMatchObject({ years: 25, annualRate: 3.5 });
  });

  test("make no calculator where one that it needs is missing or not a number", () => {
    for (const nothing of [undefined, null, {}, [], "7 %", { purchase_taxes: "?" }]) {
      expect(purchaseFigures(nothing)).toBeUndefined();
      expect(mortgageFigures(nothing)).toBeUndefined();
    }
    const taxes = raw.purchase_taxes.filter(({ key }: { key: string }) => key !== "itp_general");
    expect(purchaseFigures({ ...raw, purchase_taxes: taxes })).toBeUndefined();
    expect(purchaseFigures({ ...raw, notary_scale: [] })).toBeUndefined();
  });
});

describe("a mortgage", () => {
  test("of 175,000 over 25 years at 3.5 % costs 876.09 a month", () => {
    const { monthly, total, interest } = repayment({
      principal: 175_000,
      years: 25,
      annualRate: 3.5,
    });
    expect(monthly).toBe(876.09);
    expect(total).toBeCloseTo(262_827.29, 0);
    expect(interest).toBeCloseTo(total - 175_000, 2);
  });

  test("without interest, or of nothing, is plain division", () => {
    expect(repayment({ principal: 120_000, years: 10, annualRate: 0 })).toEqual({
      monthly: 1_000,
      total: 120_000,
      interest: 0,
    });
    expect(repayment({ principal: 0, years: 10, annualRate: 3 }).monthly).toBe(0);
  });

  test("starts with three tenths of the price, in round thousands", () => {
    expect(usualDeposit(439_000)).toBe(132_000);
  });
});
