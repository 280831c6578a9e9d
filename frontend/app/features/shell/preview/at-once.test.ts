import { expect, test } from "vitest";
import { showAtOnce } from "./at-once.ts";
import type { Editable } from "./editable.ts";

/** As much of an element as is asked for. */
function shown(member: string, childElementCount = 0) {
  const element = { textContent: "before", childElementCount } as HTMLElement;
  return { element, members: [member] } satisfies Editable;
}

/** What the Studio tells after a save: all that the draft changes so far. */
const SAVED = {
  price: 1,
  translations: {
    create: [{ languages_code: "es-ES", title: "Una casa" }],
    update: [
      { id: 1, languages_code: { code: "en-GB" }, title: "A house", description: "<p>Light</p>" },
    ],
    delete: [],
  },
};

test("plain texts of the page's language are shown, and nothing else", () => {
  const [title, summary, description, price] = [
    shown("title"),
    shown("summary"),
    shown("description"),
    shown("price"),
  ];
  const all = [title, summary, description, price];
  showAtOnce(SAVED, all, "en");
  expect(all.map(({ element }) => element.textContent)).toEqual([
    "A house",
    "before",
    "before",
    "before",
  ]);
  showAtOnce(SAVED, all, "es");
  expect(title.element.textContent).toBe("Una casa");
});

test("an element that holds more than a text is left to the page", () => {
  const title = shown("title", 1);
  showAtOnce(SAVED, [title], "en");
  expect(title.element.textContent).toBe("before");
});

test("a save without texts changes nothing", () => {
  const title = shown("title");
  for (const saved of [undefined, null, {}, { price: 1 }, { translations: null }]) {
    showAtOnce(saved, [title], "en");
  }
  expect(title.element.textContent).toBe("before");
});
