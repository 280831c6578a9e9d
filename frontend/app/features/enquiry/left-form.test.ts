import { afterEach, expect, test, vi } from "vitest";
import { takeToasts } from "#app/lib/toast/toasts.ts";
import { tellOfLeft } from "./left-form.ts";

afterEach(() => {
  takeToasts();
});

test("who has gone on while an enquiry was sent is told its reference, for as long as it takes", () => {
  tellOfLeft({ reference: "E-0ABC12" }, "es", () => undefined);
  expect(takeToasts()).toMatchObject([
    {
      title: "Gracias, hemos recibido su consulta",
      description: "Su referencia, por si nos llama: E-0ABC12",
      timeout: 0,
      actions: [],
    },
  ]);
});

test("who has gone on is told that it was not sent, what is wrong with it, and is led back", () => {
  const goBack = vi.fn();
  tellOfLeft({ failure: "away" }, "en", goBack);
  tellOfLeft({ errors: [{ field: "phone", detail: "Seven digits or more." }] }, "en", goBack);
  const [away, refused] = takeToasts();
  expect(away).toMatchObject({
    title: "Your enquiry was not sent",
    description: "What you wrote is still in the form.",
    timeout: 0,
  });
  expect(refused?.description).toBe("Seven digits or more. What you wrote is still in the form.");
  expect(away?.actions.map(({ label }) => label)).toEqual(["Back to the form"]);
  away?.actions[0]?.click();
  expect(goBack).toHaveBeenCalledOnce();
});
