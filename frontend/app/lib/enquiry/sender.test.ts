import { expect, test } from "vitest";
import { nextSender, parsedSender, senderOf } from "./sender.ts";

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("of a form only who sends it is remembered, and how they are reached", () => {
  expect(
    senderOf(form({ name: " Ann Prior ", email: "ann@example.com", phone: "", message: "Hello" })),
  ).toEqual({ name: "Ann Prior", email: "ann@example.com" });
});

test("what another form asked stays, and what is typed now wins", () => {
  const before = { name: "Ann", phone: "600 123 456", email: "ann@example.com" };
  const again = form({ firstName: "Ann", lastName: "Prior", email: "Ann@Example.com" });
  expect(senderOf(again, before)).toEqual({
    name: "Ann Prior",
    firstName: "Ann",
    lastName: "Prior",
    phone: "600 123 456",
    email: "Ann@Example.com",
  });
  expect(senderOf(form({ name: "Ann", phone: "600 654 321" }), before)).toEqual({
    ...before,
    phone: "600 654 321",
  });
});

test("of whoever sent one before, nothing stays with another's address", () => {
  const ann = { name: "Ann", phone: "600 123 456", email: "ann@example.com" };
  const bea = { name: "Bea", email: "bea@example.com" };
  expect(senderOf(form(bea), ann)).toEqual(bea);
});

test("who is signed in is filled in before whom the device remembers, unless they are the same", () => {
  const ann = { name: "Ann", phone: "600 123 456", email: "ann@example.com" };
  const bea = { name: "Bea", email: "bea@example.com" };
  expect(nextSender(ann, bea)).toEqual(bea);
  expect(nextSender({ name: "Ann", phone: "600 123 456" }, bea)).toEqual(bea);
  expect(nextSender(ann, { email: "ANN@example.com" })).toEqual(ann);
  expect(nextSender(ann, {})).toEqual(ann);
  expect(nextSender(undefined, bea)).toEqual(bea);
  expect(nextSender(undefined, {})).toEqual({});
});

test("what is no sender in the device's storage is nobody", () => {
  for (const text of [null, "", "null", "[]", "7", "{", '{"name":7}', '{"name":" "}']) {
    expect([text, parsedSender(text)]).toEqual([text, undefined]);
  }
  expect(parsedSender('{"name":"Ann","website":"x"}')).toEqual({ name: "Ann" });
});
