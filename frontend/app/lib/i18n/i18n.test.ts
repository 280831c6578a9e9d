import { describe, expect, test } from "vitest";
import { signInMessages } from "#app/features/account/messages.ts";
import { contactMessages } from "#app/features/contact/messages.ts";
import { contentMessages } from "#app/features/content/messages.ts";
import { errorMessages } from "#app/features/error/messages.ts";
import { homeMessages } from "#app/features/home/messages.ts";
import { mapMessages } from "#app/features/map/messages.ts";
import { costMessages } from "#app/features/property/costs/messages.ts";
import { detailMessages } from "#app/features/property/detail-messages.ts";
import { enquiryMessages } from "#app/features/property/enquiry/enquiry-messages.ts";
import { energyMessages } from "#app/features/property/facts/energy-messages.ts";
import { legalMessages } from "#app/features/property/facts/legal-messages.ts";
import { sectionMessages } from "#app/features/property/facts/section-messages.ts";
import { lightboxMessages } from "#app/features/property/gallery/lightbox/messages.ts";
import { inSearchMessages } from "#app/features/property/in-search/in-search-messages.ts";
import { propertyMessages } from "#app/features/property/messages.ts";
import { filterMessages } from "#app/features/search/filter-messages.ts";
import { searchMessages } from "#app/features/search/messages.ts";
import { placeMessages } from "#app/features/search/place-messages.ts";
import { typeAheadMessages } from "#app/features/search/type-ahead/messages.ts";
import { shellMessages } from "#app/features/shell/messages.ts";
import { teamMessages } from "#app/features/team/messages.ts";
import { liveMessages } from "#app/lib/live/messages.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { localeOf, localizedPath, neutralPath } from "./locale.ts";
import { messagesFor, plural } from "./messages.ts";

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

  test("goes there and back", () => {
    for (const path of ["/", "/property-for-sale", "/property-for-sale/nerja/AH-1001?x=1"]) {
      expect(localizedPath("en", localizedPath("es", path))).toBe(path);
      expect(neutralPath(localizedPath("es", path))).toBe(path);
    }
  });
});

test("every text is written in both languages", () => {
  for (const messages of [
    signInMessages,
    contactMessages,
    contentMessages,
    errorMessages,
    homeMessages,
    propertyMessages,
    enquiryMessages,
    costMessages,
    detailMessages,
    energyMessages,
    inSearchMessages,
    legalMessages,
    lightboxMessages,
    liveMessages,
    mapMessages,
    sectionMessages,
    searchMessages,
    filterMessages,
    placeMessages,
    shellMessages,
    teamMessages,
    typeAheadMessages,
  ]) {
    expect(Object.keys(messages.es)).toEqual(Object.keys(messages.en));
    expect(Object.values(messages.es).filter((text) => text === "")).toEqual([]);
  }
});

test("a property under offer is shown as reserved", () => {
  expect(messagesFor(statusNames, "en").under_offer).toBe("Reserved");
  expect(messagesFor(statusNames, "es").under_offer).toBe("Reservada");
});

test("the error page says what the specification says", () => {
  expect(messagesFor(errorMessages, "en")).toMatchObject({
    title: "An error occurred",
    message: "This is not the page you're looking for.",
    home: "Go back home",
    notFoundTitle: "Page not found",
    notFoundDescription: "We are sorry but this page could not be found.",
  });
  expect(messagesFor(errorMessages, "en").notFound("/x")).toBe("Page not found: /x");
});

test("one home, several homes", () => {
  expect([0, 1, 2].map((count) => plural(count, "home", "homes"))).toEqual([
    "homes",
    "home",
    "homes",
  ]);
  expect(plural(1, "vivienda", "viviendas")).toBe("vivienda");
});
