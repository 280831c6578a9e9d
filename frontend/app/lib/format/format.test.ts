import { expect, test } from "vitest";
import { formatDate } from "./date.ts";
import {
  formatArea,
  formatNumber,
  formatPercent,
  formatPrice,
  telephoneHref,
  whatsappHref,
} from "./format.ts";

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

test("prices are whole euros, grouped as each language groups them", () => {
  expect(plain(formatPrice("en", 1_395_000))).toBe("€1,395,000");
  expect(plain(formatPrice("es", 1_395_000))).toBe("1.395.000 €");
  expect(plain(formatPrice("es", 1_650))).toBe("1.650 €");
});

test("a monthly payment has no cents, a share at most one decimal", () => {
  expect(plain(formatPrice("en", 876.09))).toBe("€876");
  expect(plain(formatPrice("es", 1_876.5))).toBe("1.877 €");
  expect(plain(formatPercent("en", 5.59))).toBe("5.6%");
  expect(plain(formatPercent("es", 3.5))).toBe("3,5 %");
});

test("areas never break between the figure and its unit", () => {
  expect(formatArea("en", 9_000)).toBe("9,000\u00a0m²");
  expect(formatArea("es", 36.5)).toBe("36,5\u00a0m²");
});

test("dates are in Spain's time zone, wherever the page is rendered", () => {
  expect(formatDate("en", "2026-06-30T22:30:00Z")).toBe("1 July 2026");
  expect(formatDate("es", "2026-06-30T22:30:00Z")).toBe("1 de julio de 2026");
});

const LANGUAGES = { en: "en-GB", es: "es-ES" } as const;

test("numbers and dates are formatted as the platform itself would format them", () => {
  const amounts = [
    0, 0.5, 7, 12.345, 999.995, 1_000, 1_234.5, 54_321.005, 1_395_000, -1_500, -0.25,
  ];
  const turns = ["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-10-25T00:59:59Z"];
  const nights = Array.from({ length: 3_000 }, (_, day) =>
    [22, 23].map((hour) => Date.UTC(2022, 0, day, hour, 30)),
  );
  const moments = [...turns, ...nights.flat().map((time) => new Date(time).toISOString())];
  for (const locale of ["en", "es"] as const) {
    const intl = (options: Intl.NumberFormatOptions) =>
      new Intl.NumberFormat(LANGUAGES[locale], { useGrouping: "always", ...options });
    const euros = { style: "currency", currency: "EUR" } as const;
    const reference = intl({ ...euros, maximumFractionDigits: 0 });
    const numbers = intl({ maximumFractionDigits: 2 });
    for (const amount of amounts) {
      expect(formatPrice(locale, amount)).toBe(reference.format(amount));
      expect(formatNumber(locale, amount)).toBe(numbers.format(amount));
    }
    const percents = intl({ style: "percent", maximumFractionDigits: 1 });
    for (const percent of [0, 1.5, 7, 9.96, 21, 100]) {
      expect(formatPercent(locale, percent)).toBe(percents.format(percent / 100));
    }
    const days = new Intl.DateTimeFormat(LANGUAGES[locale], {
      dateStyle: "long",
      timeZone: "Europe/Madrid",
    });
    for (const moment of moments) {
      expect(formatDate(locale, moment)).toBe(days.format(new Date(moment)));
    }
  }
});

test("telephone links hold digits only", () => {
  expect(telephoneHref("+34 952 00 00 01")).toBe("tel:+34952000001");
  expect(whatsappHref("+34 600 000 000", "Hola & adiós")).toBe(
    "https://wa.me/34600000000?text=Hola%20%26%20adi%C3%B3s",
  );
});

test("WhatsApp links include the country code, also for a number without one", () => {
  for (const [phone, number] of [
    ["600 12 34 56", "34600123456"],
    ["952-53-00-00", "34952530000"],
    ["0034 600 123 456", "34600123456"],
    ["(+34) 600 123 456", "34600123456"],
    ["+44 20 7946 0958", "442079460958"],
    ["+612345678", "612345678"],
    ["34600123456", "34600123456"],
  ] as const) {
    expect(whatsappHref(phone), phone).toBe(`https://wa.me/${number}`);
  }
});
