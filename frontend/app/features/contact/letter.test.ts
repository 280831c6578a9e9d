import { expect, test } from "vitest";
import { letterText, mailHref } from "./letter.ts";

test("a letter greets, says, and signs with where to answer", () => {
  const letter = { name: "Ann", email: "ann@x.example", phone: "", message: "Is AH-1002 free?" };
  expect(letterText(letter, "en")).toBe(
    "Hello,\n\nIs AH-1002 free?\n\nRegards,\nAnn\nann@x.example",
  );
  expect(letterText({ name: "", email: "", phone: "600", message: "¿Libre?" }, "es")).toBe(
    "Hola:\n\n¿Libre?\n\n600",
  );
});

test("nothing that is written can become another part of the mail", () => {
  const href = mailHref("a@b.example", "S & T", "one\ntwo&cc=x@y.example");
  const [, query = ""] = href.split("?");
  expect([...new URLSearchParams(query)]).toEqual([
    ["subject", "S & T"],
    ["body", "one\r\ntwo&cc=x@y.example"],
  ]);
});
