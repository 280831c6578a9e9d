import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SiteSettings } from "#app/lib/api/types.ts";
import { webManifest } from "./web-manifest.ts";

const settings: SiteSettings = {
  companyName: "Almijara Homes",
  phones: [],
  emails: [],
  openingHours: [],
  titleSuffix: "",
  tagline: "Casas junto al mar",
  description: "Casas",
  footerNote: "",
  sampleNotice: "",
};

test("each language is an app that starts in it", () => {
  expect(webManifest(settings, "es")).toMatchObject({
    name: "Almijara Homes: Casas junto al mar",
    short_name: "Almijara Homes",
    lang: "es-ES",
    start_url: "/es",
  });
  expect(webManifest(settings, "en")).toMatchObject({ lang: "en-GB", start_url: "/" });
});

test("its icons exist, and some are maskable", () => {
  const icons = webManifest(settings, "en").icons as { src: string; purpose: string }[];
  for (const { src } of icons) {
    expect([src, existsSync(new URL(`../../../public${src}`, import.meta.url))]).toEqual([
      src,
      true,
    ]);
  }
  expect(icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
});

test("its background is that of the offline page", () => {
  const file = new URL("../../service-worker/offline-page.ts", import.meta.url);
  expect(readFileSync(file, "utf8")).toContain(
    String(webManifest(settings, "en").background_color),
  );
});
