/** Told to the window when the first paint is done, or the visitor does not wait for it. */
export const SHOWN_EVENT = "shown";

/** How long anything waits for a first paint, as where a picture hangs, in milliseconds. */
const LIMIT_MS = 4_000;

/** How much of what waited is laid out in one frame, so that a touch is not kept waiting for all. */
const AT_ONCE = 3;

/**
 * Runs in the head. It marks the document with `data-shown` once what stands in the first window is
 * painted, with its letters and pictures; scripts and what lies below (`.after-first-paint`) wait for
 * that and leave it the line. What lies below then comes a little at a time, the scripts after it.
 * Nothing waits after a step back or a reload, which goes to where the visitor was, nor where the
 * address names a place further down. It is one fixed text, so the policy's hash of it stays the same.
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
  function reveal(from) {
    var next = held.slice(from, from + ${AT_ONCE});
    if ("shown" in root.dataset) return;
    if (!next.length) return show();
    next.forEach(function (part) { part.dataset.shown = ""; });
    requestAnimationFrame(function () {
      setTimeout(function () { reveal(from + ${AT_ONCE}); });
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
  if (location.hash || !way || way.type !== "navigate") show();
  ["pointerdown", "keydown", "scroll"].forEach(function (sign) {
    addEventListener(sign, show, { once: true, capture: true, passive: true });
  });
  addEventListener("load", loaded);
  setTimeout(show, ${LIMIT_MS});
})(document.documentElement);
`.replaceAll(/\n\s*/g, "");
