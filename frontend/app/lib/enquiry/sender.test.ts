import { afterEach, expect, test, vi } from "vitest";
import {
  forgetSender,
  nextSender,
  parseSender,
  rememberedSender,
  rememberSender,
  senderOf,
} from "./sender.ts";

afterEach(() => vi.unstubAllGlobals());

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("only the name and the contact details in a form are remembered", () => {
  expect(
    senderOf(form({ name: " Ann Prior ", email: "ann@example.com", phone: "", message: "Hello" })),
  ).toEqual({ name: "Ann Prior", email: "ann@example.com" });
});

test("the sender of a form that was sent is remembered until the details are forgotten", () => {
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  });
  rememberSender(form({ name: "Ann Prior", email: "ann@example.com", message: "Hello" }));
  rememberSender(form({ email: "ann@example.com", phone: "600 123 456" }));
  expect(rememberedSender()).toEqual({
    name: "Ann Prior",
    email: "ann@example.com",
    phone: "600 123 456",
  });
  forgetSender();
  expect(rememberedSender()).toBeUndefined();
});

test("details from another form are kept, and those typed now take precedence", () => {
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

test("the details of a previous sender are dropped if the email address differs", () => {
  const ann = { name: "Ann", phone: "600 123 456", email: "ann@example.com" };
  const bea = { name: "Bea", email: "bea@example.com" };
  expect(senderOf(form(bea), ann)).toEqual(bea);
});

test("the signed-in owner takes precedence over the remembered sender, unless both are the same person", () => {
  const ann = { name: "Ann", phone: "600 123 456", email: "ann@example.com" };
  const bea = { name: "Bea", email: "bea@example.com" };
  expect(nextSender(ann, bea)).toEqual(bea);
  expect(nextSender({ name: "Ann", phone: "600 123 456" }, bea)).toEqual(bea);
  expect(nextSender(ann, { email: "ANN@example.com" })).toEqual(ann);
  expect(nextSender(ann, {})).toEqual(ann);
  expect(nextSender(undefined, bea)).toEqual(bea);
  expect(nextSender(undefined, {})).toEqual({});
});

test("invalid data in the device's storage is no sender", () => {
  for (const text of [null, "", "null", "[]", "7", "{", '{"name":7}', '{"name":" "}']) {
    expect([text, parseSender(text)]).toEqual([text, undefined]);
  }
  expect(parseSender('{"name":"Ann","website":"x"}')).toEqual({ name: "Ann" });
});
