import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatPrice } from "#app/lib/format/format.ts";
import { parseDecimal } from "#app/lib/format/parse-number.ts";
import { LANGUAGE_TAG, type Locale } from "#app/lib/i18n/locale.ts";
import { messagesFor } from "#app/lib/i18n/messages.ts";
import { type Figure, mortgageFigures, purchaseFigures } from "#app/lib/property/figures.ts";
import { costMessages } from "./messages.ts";
import { limitedTerm, maxYears, repayment, usualDeposit } from "./mortgage.ts";
import { parseFigure } from "./number-field.tsx";
import { applicableRates, type Purchase, purchaseCosts, scaleFee } from "./purchase-costs.ts";

/** Reads a collection of the sample content, from which the editors' figures and guides start. */
function content(collection: string) {
  const file = new URL(`../../../../../deploy/content/${collection}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

const { figures: raw } = content("site_settings");

/** Returns the figures as the API does, in one language. */
function inLanguage(locale: Locale): unknown {
  return JSON.parse(JSON.stringify(raw), (_, value) => value?.[LANGUAGE_TAG[locale]] ?? value);
}
const figures = purchaseFigures(inLanguage("en"));
if (!figures) throw new Error("the sample content lacks figures");

const resale = (price: number): Purchase => ({
  price,
  newBuild: false,
  home: true,
  transferRate: "itp_general",
});

describe("purchase costs", () => {
  test.each([
    [250_000, 17_500, 383.43, 201.21, 648, 21_232],
    [400_000, 28_000, 458.43, 246.21, 988, 33_692],
  ])(
    "of a resale home at %i include VAT on every fee",
    (price, itp, notary, registry, vat, total) => {
      expect(scaleFee(price, figures.notary)).toBe(notary);
      expect(scaleFee(price, figures.registry)).toBe(registry);
      const costs = purchaseCosts(resale(price), figures);
      expect(costs.taxes.map(({ amount }) => amount)).toEqual([itp]);
      expect(costs).toMatchObject({ lawyer: price / 100, feesVat: vat, total });
    },
  );

  test("add up as they are shown, in whole euros", () => {
    for (const price of [19_000, 48_517, 129_999, 333_333, 1_650_000]) {
      const { taxes, notary, registry, lawyer, feesVat, total } = purchaseCosts(
        resale(price),
        figures,
      );
      const lines = [...taxes.map(({ amount }) => amount), notary, registry, lawyer, feesVat];
      expect(lines.every(Number.isInteger)).toBe(true);
      expect(lines.reduce<number>((sum, line) => sum + (line ?? 0), 0)).toBe(total);
    }
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
      applicableRates(price, home, figures).map(({ key }) => key);
    const upTo150 = ["itp_general", "itp_main_home", "itp_young", "itp_family"];
    expect(keys(150_000)).toEqual(upTo150);
    expect(keys(150_001)).toEqual(["itp_general", "itp_family"]);
    expect(keys(250_000)).toEqual(["itp_general", "itp_family"]);
    expect(keys(250_001)).toEqual(["itp_general"]);
    expect(keys(90_000, false)).toEqual(["itp_general"]);
    const main = { ...resale(150_000), transferRate: "itp_main_home" };
    expect(purchaseCosts(main, figures).taxes[0]?.amount).toBe(9_000);
    expect(purchaseCosts({ ...main, price: 200_000 }, figures).taxes[0]?.amount).toBe(14_000);
  });

  test("the scales start at their base, and the registry's ends at its maximum", () => {
    expect(scaleFee(5_000, figures.notary)).toBe(90.15);
    expect(scaleFee(5_000, figures.registry)).toBe(24.04);
    expect(scaleFee(50_000_000, figures.registry)).toBe(2_181.67);
  });
});

const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("the guides", () => {
  interface Item {
    slug: string;
    translations: { languages_code: string; body: string }[];
  }

  /** Returns the cells of all tables of a guide, by row. */
  function rows(collection: string, slug: string, locale: Locale): string[][] {
    const item = content(collection).find((each: Item) => each.slug === slug) as Item;
    const tag = LANGUAGE_TAG[locale];
    const { body } = item.translations.find((text) => text.languages_code === tag) ?? { body: "" };
    return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
      [...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => plain(cell)),
    );
  }

  const costLines = (purchase: Purchase, locale: Locale) => {
    const { taxes, notary, registry, lawyer, feesVat, total } = purchaseCosts(purchase, figures);
    const amounts = [
      ...taxes.map(({ amount }) => amount),
      notary,
      registry,
      lawyer,
      feesVat,
      total,
    ];
    return amounts.map((amount) => plain(formatPrice(locale, amount ?? 0)));
  };

  const column = (table: string[][], place: number) => table.map((row) => row[place]);

  test.each(["en", "es"] as const)("tell the same bills as the calculator, in %s", (locale) => {
    const fresh = (price: number) => ({ ...resale(price), newBuild: true });
    const detail = rows("docs", "buying/what-it-costs", locale);
    expect(detail).toHaveLength(15);
    const [used, built] = [detail.slice(1, 7), detail.slice(8)];
    expect(column(used, 1)).toEqual(costLines(resale(250_000), locale));
    expect(column(used, 2)).toEqual(costLines(resale(400_000), locale));
    expect(column(built, 1)).toEqual(costLines(fresh(250_000), locale));
    expect(column(built, 2)).toEqual(costLines(fresh(400_000), locale));

    const guide = rows("pages", "buying-a-property", locale).slice(1);
    const [tax, ...rest] = column(guide, 1);
    expect([tax, ...rest.slice(1)]).toEqual(costLines(resale(250_000), locale));
    expect(column(guide, 2)).toEqual(costLines(fresh(250_000), locale));
  });
});

describe("the editors' figures", () => {
  const everything = Object.values(raw).filter(Array.isArray).flat();

  test("name their source in both languages, and the day", () => {
    for (const figure of everything) {
      expect(figure, figure.key).toMatchObject({
        source: { "en-GB": expect.stringMatching(/\w/), "es-ES": expect.stringMatching(/\w/) },
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      });
    }
    const inSpanish = purchaseFigures(inLanguage("es"));
    const source = (figure: Pick<Figure, "source"> | undefined) =>
      inSpanish?.sources[figure?.source ?? -1];
    expect(source(inSpanish?.transfer[0])?.name).toMatch(/Ley 5\/2021/);
    expect(source(inSpanish?.notary.bands[0])).toBe(source(inSpanish?.notary.base));
    expect(mortgageFigures(inLanguage("en"))).toMatchObject({
      years: 25,
      annualRate: 3.5,
      lastAge: { value: 75 },
      leastPrice: { value: 50_000 },
    });
  });

  test("make no calculator if a required one is missing or not a number", () => {
    for (const nothing of [undefined, null, {}, [], "7 %", { purchase_taxes: "?" }]) {
      expect(purchaseFigures(nothing)).toBeUndefined();
      expect(mortgageFigures(nothing)).toBeUndefined();
    }
    const taxes = raw.purchase_taxes.filter(({ key }: { key: string }) => key !== "itp_general");
    expect(purchaseFigures({ ...raw, purchase_taxes: taxes })).toBeUndefined();
    expect(purchaseFigures({ ...raw, notary_scale: [] })).toBeUndefined();
  });

  test("may lack the optional ones: these are then not added", () => {
    const bare = purchaseFigures({ ...raw, lawyer: [] });
    if (!bare) throw new Error("there is no calculator");
    expect(purchaseCosts(resale(250_000), bare)).toMatchObject({
      lawyer: undefined,
      feesVat: undefined,
      total: 17_500 + 383 + 201,
    });
    const mortgage = raw.mortgage.filter(({ key }: { key: string }) => key === "mortgage_example");
    expect(mortgageFigures({ mortgage })).toMatchObject({
      lastAge: undefined,
      leastPrice: undefined,
    });
  });
});

describe("typed text", () => {
  test.each([
    ["250.000", 1, 1e8, 250_000],
    ["250,000", 1, 1e8, 250_000],
    ["250.000 €", 1, 1e8, 250_000],
    ["250000", 1, 1e8, 250_000],
    ["3,5", 0, 20, 3.5],
    ["3.5", 0, 20, 3.5],
    ["250.001", 0, 250_000, undefined],
    ["", 0, 20, undefined],
    ["some", 0, 20, undefined],
  ])("%j is parsed with either decimal separator", (typed, min, max, figure) => {
    expect(parseFigure(typed, min, max)).toBe(figure);
  });

  test("a rate has no thousands separator", () => {
    expect(parseFigure("2.565 %", 0, 20, parseDecimal)).toBe(2.565);
  });
});

describe("a mortgage", () => {
  test("of 175,000 over 25 years at 3.5 % costs 876.09 a month", () => {
    const { monthly, total, interest } = repayment({
      principal: 175_000,
      years: 25,
      annualRate: 3.5,
    });
    expect(monthly).toBeCloseTo(876.09, 2);
    expect(total).toBeCloseTo(262_827.29, 0);
    expect(interest).toBeCloseTo(total - 175_000, 2);
  });

  test("without interest, or with a principal of zero, is plain division", () => {
    expect(repayment({ principal: 120_000, years: 10, annualRate: 0 })).toEqual({
      monthly: 1_000,
      total: 120_000,
      interest: 0,
    });
    expect(repayment({ principal: 0, years: 10, annualRate: 3 }).monthly).toBe(0);
  });

  test("ends by the age at which banks require repayment", () => {
    expect(maxYears(62, 75)).toBe(13);
    expect(maxYears(20, 75)).toBe(40);
    expect(maxYears(75, 75)).toBe(0);
    expect(maxYears(80, 75)).toBe(0);
    expect(maxYears(undefined, 75)).toBe(40);
    expect(maxYears(62, undefined)).toBe(40);
  });

  test("runs as long as requested, up to the limit", () => {
    expect(limitedTerm("15", 35)).toBe("15");
    expect(limitedTerm("15", 13)).toBe("13");
    expect(limitedTerm("12,5", 12)).toBe("12");
    expect(limitedTerm("15", 0)).toBe("15");
    expect(limitedTerm("", 35)).toBe("");
  });

  test.each([
    ["en", 1, "€9,000 over 1 year at 3% a year, in equal monthly payments.", "1 year"],
    ["en", 25, "€9,000 over 25 years at 3% a year, in equal monthly payments.", "25 years"],
    ["es", 1, "9000 € a 1 año al 3 % anual, en cuotas mensuales iguales.", "1 año"],
    ["es", 25, "9000 € a 25 años al 3 % anual, en cuotas mensuales iguales.", "25 años"],
  ] as const)("states its term in %s, for %i years", (locale, years, basis, alone) => {
    const t = messagesFor(costMessages, locale);
    const [loan, rate] = locale === "en" ? ["€9,000", "3%"] : ["9000 €", "3 %"];
    expect(plain(t.basis(loan, years, rate))).toBe(basis);
    expect(t.inYears(years)).toBe(alone);
  });

  test("starts with three tenths of the price, in round thousands", () => {
    expect(usualDeposit(439_000)).toBe(132_000);
  });
});
