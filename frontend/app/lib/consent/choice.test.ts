import { afterEach, expect, test, vi } from "vitest";
import { choiceIn, currentChoice, saveChoice } from "./choice.ts";

afterEach(() => vi.unstubAllGlobals());

const open = { cookie: "language=es", globalPrivacyControl: false };

test("without a choice there is none", () => {
  expect(choiceIn(open)).toBeUndefined();
  expect(choiceIn({ ...open, cookie: "my-consent=yes; consent=maybe" })).toBeUndefined();
});

test("the stored choice applies", () => {
  expect(choiceIn({ ...open, cookie: "language=es; consent=yes" })).toBe("yes");
  expect(choiceIn({ ...open, cookie: "consent=no; language=es" })).toBe("no");
});

test("Global Privacy Control means no, until the visitor chooses otherwise", () => {
  expect(choiceIn({ ...open, globalPrivacyControl: true })).toBe("no");
  expect(choiceIn({ cookie: "consent=yes", globalPrivacyControl: true })).toBe("yes");
});

test("a choice applies even if cookies are refused, and a cookie takes precedence", () => {
  let cookie = "";
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("document", {
    get cookie() {
      return cookie;
    },
    set cookie(_) {},
  });
  expect(currentChoice()).toBeUndefined();
  saveChoice("no");
  expect(currentChoice()).toBe("no");
  // Chosen in another tab, where cookies are accepted by now.
  cookie = "consent=yes";
  expect(currentChoice()).toBe("yes");
});
