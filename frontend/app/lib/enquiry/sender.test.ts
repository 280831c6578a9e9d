import { expect, test } from "vitest";
import { parsedSender, senderOf } from "./sender.ts";

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
  const before = { name: "Ann", phone: "600 123 456", email: "old@example.com" };
  expect(
    senderOf(form({ firstName: "Ann", lastName: "Prior", email: "new@example.com" }), before),
  ).toEqual({
    name: "Ann Prior",
    firstName: "Ann",
    lastName: "Prior",
    phone: "600 123 456",
    email: "new@example.com",
  });
});

test("what is no sender in the device's storage is nobody", () => {
  for (const text of [null, "", "null", "[]", "7", "{", '{"name":7}', '{"name":" "}']) {
    expect([text, parsedSender(text)]).toEqual([text, undefined]);
  }
  expect(parsedSender('{"name":"Ann","website":"x"}')).toEqual({ name: "Ann" });
});
