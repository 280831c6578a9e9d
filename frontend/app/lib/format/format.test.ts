import { expect, test } from "vitest";
import {
  formatArea,
  formatCents,
  formatDate,
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

test("a monthly payment has its cents, a share at most one decimal", () => {
  expect(plain(formatCents("en", 876.09))).toBe("€876.09");
  expect(plain(formatCents("es", 1_876.5))).toBe("1.876,50 €");
  expect(plain(formatPercent("en", 5.59))).toBe("5.6%");
  expect(plain(formatPercent("es", 3.5))).toBe("3,5 %");
});

test("areas never break between the figure and its unit", () => {
  expect(formatArea("en", 9_000)).toBe("9,000\u00a0m²");
  expect(formatArea("es", 36.5)).toBe("36,5\u00a0m²");
});

test("days are those of the coast, wherever the page is rendered", () => {
  expect(formatDate("en", "2026-06-30T22:30:00Z")).toBe("1 July 2026");
  expect(formatDate("es", "2026-06-30T22:30:00Z")).toBe("1 de julio de 2026");
});

test("telephone links hold digits only", () => {
  expect(telephoneHref("+34 952 00 00 01")).toBe("tel:+34952000001");
  expect(whatsappHref("+34 600 000 000", "Hola & adiós")).toBe(
    "https://wa.me/34600000000?text=Hola%20%26%20adi%C3%B3s",
  );
});
