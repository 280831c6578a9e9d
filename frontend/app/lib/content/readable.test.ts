import { describe, expect, test } from "vitest";
import { plainText, readable, readingMinutes, slugOf } from "./readable.ts";

describe("headings", () => {
  test("get an id each, in the words that they say", () => {
    const { html, headings } = readable(
      "<h2>What it costs</h2><p>x</p><h3>Año &amp; día</h3>",
      "en",
    );
    expect(headings).toEqual([
      { id: "what-it-costs", text: "What it costs", level: 2 },
      { id: "ano-dia", text: "Año & día", level: 3 },
    ]);
    expect(html).toBe(
      '<h2 id="what-it-costs">What it costs</h2><p>x</p><h3 id="ano-dia">Año &amp; día</h3>',
    );
  });

  test("of the same words, or of the page's own, keep apart", () => {
    const { headings } = readable("<h2>Tax</h2><h2>Tax</h2><h2>Content</h2><h2>¿?</h2>", "en");
    expect(headings.map(({ id }) => id)).toEqual(["tax", "tax-2", "content-2", "section"]);
  });

  test("leave the first level to the page, and deeper ones out of the contents", () => {
    const { html, headings } = readable('<h1 lang="es">A</h1><h4><em>B</em></h4>', "en");
    expect(html).toBe('<h2 id="a" lang="es">A</h2><h4 id="b"><em>B</em></h4>');
    expect(headings).toHaveLength(1);
  });
});

test("tables can be scrolled, by the keyboard too", () => {
  expect(readable("<table><tbody></tbody></table>", "en").html).toBe(
    '<div class="prose-table" role="group" tabindex="0"><table><tbody></tbody></table></div>',
  );
});

test("links inside stay in the page's language, links out say nothing of their origin", () => {
  const link = (href: string) => readable(`<a href="${href}" rel="x">y</a>`, "es").html;
  expect(link("/docs/buying")).toBe('<a href="/es/docs/buying">y</a>');
  expect(link("/es/docs#top")).toBe('<a href="/es/docs#top">y</a>');
  expect(link("#top")).toBe('<a href="#top">y</a>');
  expect(link("mailto:a@b.example")).toBe('<a href="mailto:a@b.example">y</a>');
  expect(link("https://boe.es/")).toBe('<a href="https://boe.es/" rel="noopener noreferrer">y</a>');
});

test("reading takes a minute at least, and one for each 220 words", () => {
  expect(readingMinutes("<p>short</p>")).toBe(1);
  expect(readingMinutes(`<p>${"word ".repeat(660)}</p>`)).toBe(3);
});

test("plain words", () => {
  expect(plainText("<p>5 &lt; 6<br>&#233;s&nbsp;</p>")).toBe("5 < 6 és");
  expect(slugOf("  IVA: 10 %  ")).toBe("iva-10");
});

test.each([
  ["a figure and its sign", "150.000 € al 7 %", "150.000\u00a0€ al 7\u00a0%"],
  ["a tax and its rate", "ITP 7% or IVA 10 %", "ITP\u00a07% or IVA\u00a010\u00a0%"],
  ["a telephone number", "+34 951 550 101 or 2 of us", "+34\u00a0951\u00a0550\u00a0101 or 2 of us"],
  [
    "a number with a hyphen",
    "NIF B-00000000",
    'NIF <span class="whitespace-nowrap">B-00000000</span>',
  ],
])("%s stay on one line", (_, words, expected) => {
  expect(readable(`<p>${words}</p>`, "es").html).toBe(`<p>${expected}</p>`);
});

test("what stays on one line leaves addresses alone", () => {
  const heading = '<h2 id="form-ex-15">Form <span class="whitespace-nowrap">EX-15</span></h2>';
  expect(readable("<h2>Form EX-15</h2>", "en").html).toBe(heading);
  const link = '<a href="/property-for-sale/nerja/AH-1002">x</a>';
  expect(readable(link, "en").html).toBe(link);
});
