import { expect, test } from "vitest";
import { enquiryText, mailHref } from "./enquiry-text.ts";

test("a message is signed with what was filled in, and with nothing else", () => {
  const message = " Hello, I am interested in AH-1001. ";
  expect(enquiryText({ name: "", email: "", phone: " ", message })).toBe(
    "Hello, I am interested in AH-1001.",
  );
  expect(enquiryText({ name: "Ann", email: "ann@x.example", phone: "", message })).toBe(
    "Hello, I am interested in AH-1001.\n\nAnn\nann@x.example",
  );
});

test("a letter keeps its lines and its signs", () => {
  expect(mailHref("a@b.example", "AH-1", "Sea & sun?\nYes")).toBe(
    "mailto:a@b.example?subject=AH-1&body=Sea%20%26%20sun%3F%0D%0AYes",
  );
});
