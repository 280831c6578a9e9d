import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { retryFailedPictures } from "./failed-pictures.ts";

/** A picture that failed to load, which counts how often it is requested again. */
class FailedPicture {
  complete = true;
  naturalWidth = 0;
  currentSrc = "/media/x/1/480.avif";
  requests = 0;

  get src() {
    return "/media/x/1/960.jpg";
  }

  set src(_: string) {
    this.requests += 1;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page with one picture that failed to load; `end` stops the retries. */
function failedPicture() {
  const picture = new FailedPicture();
  vi.stubGlobal("document", { images: [picture] });
  return { picture, end: retryFailedPictures() };
}

test("a picture that failed to load is retried after a while", () => {
  const { picture } = failedPicture();
  vi.advanceTimersByTime(2_999);
  expect(picture.requests).toBe(0);
  vi.advanceTimersByTime(3_001);
  expect(picture.requests).toBe(1);
});

test("nothing is retried after the page was left", () => {
  const { picture, end } = failedPicture();
  end();
  vi.advanceTimersByTime(60_000);
  expect(picture.requests).toBe(0);
});
