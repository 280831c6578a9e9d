import { expect, test } from "vitest";
import { choiceIn } from "./choice.ts";

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
