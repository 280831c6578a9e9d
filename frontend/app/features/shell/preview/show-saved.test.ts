import { expect, test } from "vitest";
import type { Editable } from "./editable.ts";
import { showSaved } from "./show-saved.ts";

/** Returns an editable with the parts of an element that are needed. */
function editable(member: string, childElementCount = 0) {
  const element = { textContent: "before", childElementCount } as HTMLElement;
  return { element, members: [member] } satisfies Editable;
}

/** What the Studio sends after a save: all changes of the draft so far. */
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

test("only plain texts in the page's language are shown", () => {
  const [title, summary, description, price] = [
    editable("title"),
    editable("summary"),
    editable("description"),
    editable("price"),
  ];
  const all = [title, summary, description, price];
  showSaved(SAVED, all, "en");
  expect(all.map(({ element }) => element.textContent)).toEqual([
    "A house",
    "before",
    "before",
    "before",
  ]);
  showSaved(SAVED, all, "es");
  expect(title.element.textContent).toBe("Una casa");
});

test("an element with child elements is left unchanged", () => {
  const title = editable("title", 1);
  showSaved(SAVED, [title], "en");
  expect(title.element.textContent).toBe("before");
});

test("a save without texts changes nothing", () => {
  const title = editable("title");
  for (const saved of [undefined, null, {}, { price: 1 }, { translations: null }]) {
    showSaved(saved, [title], "en");
  }
  expect(title.element.textContent).toBe("before");
});
