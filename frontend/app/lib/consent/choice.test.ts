import { afterEach, expect, test, vi } from "vitest";
import { choiceIn, currentChoice, keepChoice } from "./choice.ts";

afterEach(() => vi.unstubAllGlobals());

const open = { cookie: "language=es", globalPrivacyControl: false };

test("nothing said is nothing chosen", () => {
  expect(choiceIn(open)).toBeUndefined();
  expect(choiceIn({ ...open, cookie: "my-consent=yes; consent=maybe" })).toBeUndefined();
});

test("what was said holds", () => {
  expect(choiceIn({ ...open, cookie: "language=es; consent=yes" })).toBe("yes");
  expect(choiceIn({ ...open, cookie: "consent=no; language=es" })).toBe("no");
});

test("a browser's no to everybody is a no here, until the visitor says otherwise", () => {
  expect(choiceIn({ ...open, globalPrivacyControl: true })).toBe("no");
  expect(choiceIn({ cookie: "consent=yes", globalPrivacyControl: true })).toBe("yes");
});

test("a no is heard where cookies are refused, and what a cookie says comes first", () => {
  let cookie = "";
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("document", {
    get cookie() {
      return cookie;
    },
    set cookie(_) {},
  });
  expect(currentChoice()).toBeUndefined();
  keepChoice("no");
  expect(currentChoice()).toBe("no");
  // Said in another tab, where they are kept by now.
  cookie = "consent=yes";
  expect(currentChoice()).toBe("yes");
});
