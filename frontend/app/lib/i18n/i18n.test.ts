import { describe, expect, test } from "vitest";
import { errorMessages } from "#app/features/error/messages.ts";
import { searchMessages, sortNames } from "#app/features/search/messages.ts";
import { offlineMessages } from "#app/lib/offline/messages.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { comboboxMessages, overlayMessages } from "#app/ui/messages.ts";
import { localeOf, localizedPath, neutralPath } from "./locale.ts";
import { counted, messagesFor, plural } from "./messages.ts";

describe("the language of a path", () => {
  test.each([
    ["/", "en"],
    ["/es", "es"],
    ["/es/property-for-sale", "es"],
    ["/estepona", "en"],
    ["/property-for-sale/es", "en"],
  ] as const)("%s is %s", (path, locale) => {
    expect(localeOf(path)).toBe(locale);
  });

  test.each([
    ["/", "/es"],
    ["/property-for-sale?reduced=true", "/es/property-for-sale?reduced=true"],
    ["/es/news", "/es/news"],
    ["https://elsewhere.example/", "https://elsewhere.example/"],
    ["//elsewhere.example/", "//elsewhere.example/"],
  ])("%s is %s in Spanish", (path, spanish) => {
    expect(localizedPath("es", path)).toBe(spanish);
  });

  test("is removed and added again without loss", () => {
    for (const path of ["/", "/property-for-sale", "/property-for-sale/nerja/AH-1001?x=1"]) {
      expect(localizedPath("en", localizedPath("es", path))).toBe(path);
      expect(neutralPath(localizedPath("es", path))).toBe(path);
    }
  });
});

test("each state of a property has the specification's name", () => {
  expect(messagesFor(statusNames, "en")).toEqual({
    for_sale: "For Sale",
    under_offer: "Reserved",
    sale_agreed: "Sale Agreed",
    pending: "Pending",
    sold: "Sold",
  });
  expect(messagesFor(statusNames, "es")).toEqual({
    for_sale: "En venta",
    under_offer: "Reservado",
    sale_agreed: "Venta acordada",
    pending: "Pendiente de firma",
    sold: "Vendido",
  });
});

test("the list's headline and its orders have the specification's texts", () => {
  expect(messagesFor(searchMessages, "en")).toMatchObject({
    headline: "Search our properties for sale",
  });
  expect(messagesFor(sortNames, "en")).toMatchObject({
    newest: "Newest First",
    oldest: "Oldest First",
    "price-asc": "Price Ascending",
    "price-desc": "Price Descending",
  });
});

test("each order of a list has its name in both languages", () => {
  expect(messagesFor(sortNames, "en")).toMatchObject({
    relevance: "Best Match",
    "price-per-m2": "Price per m²",
    reduced: "Just Reduced",
  });
  expect(messagesFor(sortNames, "es")).toMatchObject({
    relevance: "Más relevantes",
    newest: "Más recientes",
    oldest: "Más antiguos",
    "price-asc": "Precio ascendente",
    "price-desc": "Precio descendente",
    "price-per-m2": "Precio por m²",
    reduced: "Rebajados recientemente",
  });
});

test("a list of options and a toast have the specification's texts", () => {
  const english = messagesFor(comboboxMessages, "en");
  expect([english.search, english.noOptions, english.noResults("Ronda")]).toEqual([
    "Search...",
    "No options.",
    'No results for "Ronda".',
  ]);
  const spanish = messagesFor(comboboxMessages, "es");
  expect([spanish.search, spanish.noOptions, spanish.noResults("Ronda")]).toEqual([
    "Buscar...",
    "No hay opciones.",
    "No hay resultados para «Ronda».",
  ]);
  expect(messagesFor(overlayMessages, "en").close).toBe("Close");
});

test("the error page has the specification's texts", () => {
  expect(messagesFor(errorMessages, "en")).toMatchObject({
    title: "An error occurred",
    message: "This is not the page you're looking for.",
    home: "Go back home",
    notFoundTitle: "Page not found",
    notFoundDescription: "We are sorry but this page could not be found.",
  });
  expect(messagesFor(errorMessages, "en").notFound("/x")).toBe("Page not found: /x");
});

test("in Spanish one o'clock is a single hour", () => {
  const { since } = messagesFor(offlineMessages, "es");
  expect(since("1:05")).toMatch(/^Sin conexión desde la 1:05\./);
  expect(since("11:05")).toMatch(/^Sin conexión desde las 11:05\./);
});

test("a count chooses the singular or the plural", () => {
  expect([0, 1, 2].map((count) => plural(count, "home", "homes"))).toEqual([
    "homes",
    "home",
    "homes",
  ]);
  expect(plural(1, "vivienda", "viviendas")).toBe("vivienda");
});

test("a count has its digits in groups, with the word for one or for several", () => {
  expect(counted("en", 1, "home", "homes")).toBe("1 home");
  expect(counted("en", 12_500, "home", "homes")).toBe("12,500 homes");
  expect(counted("es", 1_250, "vivienda", "viviendas")).toBe("1.250 viviendas");
});
