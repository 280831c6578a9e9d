import { afterEach, expect, test, vi } from "vitest";
import { sendForm } from "./filled-form.ts";

afterEach(() => vi.unstubAllGlobals());

test("leaving while a form is sent asks first, and other listeners don't take it for leaving", async () => {
  const page = new EventTarget();
  const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("fetch", () => answered);
  const leave = () => page.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  const url = new URL("https://example.com/enquiry?kind=general");
  const sent = sendForm(new FormData(), url, "en", []);
  const isLeft = vi.fn();
  page.addEventListener("beforeunload", isLeft);
  expect(leave()).toBe(false);
  expect(isLeft).not.toHaveBeenCalled();
  answer(new Response(null, { status: 503 }));
  expect(await sent).toEqual({ failure: "away" });
  expect(leave()).toBe(true);
  expect(isLeft).toHaveBeenCalledOnce();
});
