import { describe, expect, test } from "vitest";
import { CLOSED, type Combobox, pressKey } from "./combobox.ts";

const THREE = { options: 3, removable: false, empty: false };

function press(state: Combobox, key: string, around = THREE, altKey = false) {
  return pressKey(state, { key, altKey }, around);
}

/** Where the keyboard stands after some keys, beginning in the text. */
function pressing(...keys: string[]): Combobox {
  return keys.reduce<Combobox>((state, key) => press(state, key).state, { open: true, active: -1 });
}

describe("the keyboard", () => {
  test("goes round through the options and the text, both ways", () => {
    const down = [0, 1, 2, 3].map(
      (count) => pressing(...Array(count + 1).fill("ArrowDown")).active,
    );
    expect(down).toEqual([0, 1, 2, -1]);
    const up = [0, 1, 2, 3].map((count) => pressing(...Array(count + 1).fill("ArrowUp")).active);
    expect(up).toEqual([2, 1, 0, -1]);
  });

  test("opens the list on its first or last option, or with Alt on none", () => {
    expect(press(CLOSED, "ArrowDown").state).toEqual({ open: true, active: 0 });
    expect(press(CLOSED, "ArrowUp").state).toEqual({ open: true, active: 2 });
    expect(press(CLOSED, "ArrowDown", THREE, true).state).toEqual({ open: true, active: -1 });
    expect(press(pressing("ArrowDown"), "ArrowUp", THREE, true).state).toEqual(CLOSED);
  });

  test("stands on nothing where there is nothing", () => {
    const nothing = { ...THREE, options: 0 };
    for (const key of ["ArrowDown", "ArrowUp"]) {
      expect(press({ open: true, active: -1 }, key, nothing).state.active).toBe(-1);
    }
  });

  test("chooses with Enter, and without an option sends the form", () => {
    expect(press(pressing("ArrowDown"), "Enter")).toMatchObject({ effect: "choose", spent: true });
    const sent = press(pressing(), "Enter");
    expect(sent).toEqual({ state: CLOSED, spent: false });
  });

  test("closes with Escape first and clears with the second, which then is the browser's", () => {
    expect(press(pressing("ArrowDown"), "Escape")).toEqual({ state: CLOSED, spent: true });
    expect(press(CLOSED, "Escape")).toMatchObject({ effect: "clear", spent: true });
    expect(press(CLOSED, "Escape", { ...THREE, empty: true }).spent).toBe(false);
  });

  test("leaves the text its own keys, and goes back to it with them", () => {
    for (const key of ["Home", "End", "ArrowLeft", "ArrowRight"]) {
      expect(press(pressing("ArrowDown"), key)).toEqual({
        state: { open: true, active: -1 },
        spent: false,
      });
    }
    expect(press(pressing("ArrowDown"), "Tab").spent).toBe(false);
  });

  test("removes what can be removed, and stands on what takes its place", () => {
    const recent = { ...THREE, removable: true };
    expect(press(pressing("ArrowDown"), "Delete", recent)).toMatchObject({
      effect: "remove",
      state: { open: true, active: 0 },
    });
    expect(press(pressing("ArrowUp"), "Delete", recent).state.active).toBe(1);
    expect(press({ open: true, active: 0 }, "Delete", { ...recent, options: 1 }).state.active).toBe(
      -1,
    );
    // A character of the text, and a suggestion.
    expect(press(pressing(), "Delete", recent).spent).toBe(false);
    expect(press(pressing("ArrowDown"), "Delete").spent).toBe(false);
  });
});
