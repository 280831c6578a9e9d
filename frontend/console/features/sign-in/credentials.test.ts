import { expect, test } from "vitest";
import { credentialsOf, invalidFields } from "./credentials.ts";

test("a code is six digits, in groups or not", () => {
  const form = new FormData();
  form.set("name", " ana ");
  form.set("password", " kept as it is ");
  form.set("code", "123 456");
  const credentials = credentialsOf(form);
  expect(credentials).toEqual({ name: "ana", password: " kept as it is ", code: "123456" });
  expect(invalidFields(credentials)).toEqual([]);
  expect(invalidFields({ name: "", password: "", code: "12345" })).toEqual([
    "name",
    "password",
    "code",
  ]);
});
