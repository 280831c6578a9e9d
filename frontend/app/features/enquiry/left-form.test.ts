import { afterEach, expect, test, vi } from "vitest";
import { takeToasts } from "#app/lib/toast/toasts.ts";
import { forgetLeft, tellOfLeft } from "./left-form.ts";

afterEach(() => {
  takeToasts();
});

/** A form that was left. */
const left = (own: Partial<Parameters<typeof tellOfLeft>[2]> = {}) => ({
  address: "/enquiry?kind=general",
  reasons: () => [],
  goBack: () => undefined,
  ...own,
});

test("who has gone on while an enquiry was sent is told its reference, for as long as it takes", () => {
  tellOfLeft({ reference: "E-0ABC12" }, "es", left());
  expect(takeToasts()).toMatchObject([
    {
      title: "Gracias, hemos recibido su consulta",
      description: "Su referencia, por si nos llama: E-0ABC12",
      timeout: 0,
      actions: [],
    },
  ]);
});

test("who has gone on is told that it was not sent, why, and is led back", () => {
  const goBack = vi.fn();
  const errors = [{ field: "phone", detail: "Seven digits or more." }];
  tellOfLeft(
    { failure: "away" },
    "en",
    left({ goBack, reasons: () => ["Try again, or call:", "1"] }),
  );
  tellOfLeft({ errors }, "en", left({ reasons: () => ["Phone number: Seven digits or more."] }));
  const [away, refused] = takeToasts();
  expect(away).toMatchObject({
    title: "Your enquiry was not sent",
    description: "Try again, or call: 1",
    timeout: 0,
  });
  expect(refused?.description).toBe(
    "Phone number: Seven digits or more. What you wrote is still in the form.",
  );
  expect(away?.actions.map(({ label }) => label)).toEqual(["Back to the form"]);
  away?.actions[0]?.click();
  expect(goBack).toHaveBeenCalledOnce();
});

test("that a form was not sent is told until it is sent anew, and other forms' as long as before", () => {
  const other = left({ address: "/enquiry?kind=callback" });
  tellOfLeft({ failure: "away" }, "en", left());
  tellOfLeft({ failure: "away" }, "en", other);
  tellOfLeft({ failure: "away" }, "en", left());
  const toasts = takeToasts();
  const areOver = () => toasts.map(({ signal }) => signal?.aborted);
  expect(areOver()).toEqual([true, false, false]);
  forgetLeft(left().address);
  expect(areOver()).toEqual([true, false, true]);
});
