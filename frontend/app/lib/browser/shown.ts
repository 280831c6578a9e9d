/** Told to the window when the first paint is done, or the visitor does not wait for it. */
export const SHOWN_EVENT = "shown";

/** How long anything waits for a first paint, as where a picture hangs, in milliseconds. */
const LIMIT_MS = 4_000;

/**
 * How long one frame may lay out what waited, in milliseconds, so that a touch need not wait for all.
 * To ask a part where it stands lays it out at once, which is how its time is known.
 */
const A_FRAME_MS = 4;

/** How long after a visitor's first sign the rest is laid out: what they asked for goes before. */
const AFTER_A_SIGN_MS = 300;

/**
 * Runs in the head. It marks the document with `data-shown` once what stands in the first window is
 * painted, with its letters and pictures; scripts and what lies below (`.after-first-paint`) wait for
 * that and leave it the line. What lies below then comes a little at a time, the scripts after it.
 * What is further away still (`.below-fold`) is laid out once the visitor scrolls or touches
 * (`data-whole`), so that a step back finds the heights that they left. Nothing waits after a step
 * back or a reload, which goes to where the visitor was, nor where the address names a place further
 * down. It is one fixed text, so the policy's hash of it stays the same.
 */
export const SHOWN_SCRIPT = `
(function (root) {
  var held = [];
  function show() {
    if ("shown" in root.dataset) return;
    root.dataset.shown = "";
    held.forEach(function (part) { delete part.dataset.shown; });
    dispatchEvent(new Event("${SHOWN_EVENT}"));
  }
  function whole() {
    root.dataset.whole = "";
  }
  function moves() {
    show();
    setTimeout(whole, ${AFTER_A_SIGN_MS});
  }
  function reveal(next) {
    var start = performance.now();
    if ("shown" in root.dataset) return;
    if (next === held.length) return show();
    do {
      held[next].dataset.shown = "";
      held[next].getBoundingClientRect();
      next += 1;
    } while (next < held.length && performance.now() - start < ${A_FRAME_MS});
    requestAnimationFrame(function () {
      setTimeout(function () { reveal(next); });
    });
  }
  function painted() {
    if ("shown" in root.dataset || held.length) return;
    held = Array.from(document.querySelectorAll(".after-first-paint")).filter(function (part) {
      return getComputedStyle(part).contentVisibility === "hidden";
    });
    reveal(0);
  }
  function loaded() {
    if (document.hidden) return show();
    try {
      new PerformanceObserver(painted).observe({ type: "paint", buffered: true });
    } catch (e) {
      show();
    }
  }
  var way = performance.getEntriesByType("navigation")[0];
  if (location.hash || !way || way.type !== "navigate") {
    whole();
    show();
  }
  ["pointerdown", "keydown", "scroll"].forEach(function (sign) {
    addEventListener(sign, moves, { once: true, capture: true, passive: true });
  });
  addEventListener("load", loaded);
  setTimeout(show, ${LIMIT_MS});
})(document.documentElement);
`.replaceAll(/\n\s*/g, "");
