import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fetchLostPictures } from "./lost-pictures.ts";

/** A picture that did not come, and counts how often it is asked for. */
class LostPicture {
  complete = true;
  naturalWidth = 0;
  currentSrc = "/media/x/1/480.avif";
  asked = 0;

  get src() {
    return "/media/x/1/960.jpg";
  }

  set src(_: string) {
    this.asked += 1;
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

/** A page with one picture that did not come; `end` is what leaving it calls. */
function lostPicture() {
  const picture = new LostPicture();
  vi.stubGlobal("document", { images: [picture] });
  return { picture, end: fetchLostPictures() };
}

test("a picture that did not come is asked for again after a while", () => {
  const { picture } = lostPicture();
  vi.advanceTimersByTime(2_999);
  expect(picture.asked).toBe(0);
  vi.advanceTimersByTime(3_001);
  expect(picture.asked).toBe(1);
});

test("of a page that is left nothing is asked any more", () => {
  const { picture, end } = lostPicture();
  end();
  vi.advanceTimersByTime(60_000);
  expect(picture.asked).toBe(0);
});
