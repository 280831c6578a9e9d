import { afterEach, expect, test, vi } from "vitest";
import { takeToasts } from "#app/lib/toast/toasts.ts";
import { hideNotice, showNotice } from "./left-form.ts";

afterEach(() => {
  takeToasts();
});

/** A form that the visitor has left. */
const left = (own: Partial<Parameters<typeof showNotice>[2]> = {}) => ({
  address: "/enquiry?kind=general",
  reasons: () => [],
  goBack: () => undefined,
  ...own,
});

test("a visitor who left the form while it was sent is shown the reference, without a timeout", () => {
  showNotice({ reference: "E-0ABC12" }, "es", left());
  expect(takeToasts()).toMatchObject([
    {
      title: "Gracias, hemos recibido su consulta",
      description: "Su referencia, por si nos llama: E-0ABC12",
      timeout: 0,
      actions: [],
    },
  ]);
});

test("a visitor who left the form is told that it was not sent and why, and can go back to it", () => {
  const goBack = vi.fn();
  const errors = [{ field: "phone", detail: "Seven digits or more." }];
  showNotice(
    { failure: "away" },
    "en",
    left({ goBack, reasons: () => ["Try again, or call:", "1"] }),
  );
  showNotice({ errors }, "en", left({ reasons: () => ["Phone number: Seven digits or more."] }));
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

test("the notice that a form was not sent ends when that form is sent again, and other forms' notices stay", () => {
  const other = left({ address: "/enquiry?kind=callback" });
  showNotice({ failure: "away" }, "en", left());
  showNotice({ failure: "away" }, "en", other);
  showNotice({ failure: "away" }, "en", left());
  const toasts = takeToasts();
  const areOver = () => toasts.map(({ signal }) => signal?.aborted);
  expect(areOver()).toEqual([true, false, false]);
  hideNotice(left().address);
  expect(areOver()).toEqual([true, false, true]);
});
