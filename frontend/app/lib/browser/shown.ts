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
export const SHOWN_SCRIPT = `(function(d){var held=[];function show(){if("shown"in d.dataset)return;d.dataset.shown="";held.forEach(function(e){delete e.dataset.shown});dispatchEvent(new Event("${SHOWN_EVENT}"))}function reveal(from){if("shown"in d.dataset)return;var next=held.slice(from,from+${AT_ONCE});if(!next.length)return show();next.forEach(function(e){e.dataset.shown=""});requestAnimationFrame(function(){setTimeout(function(){reveal(from+${AT_ONCE})})})}function painted(){if("shown"in d.dataset||held.length)return;held=Array.from(document.querySelectorAll(".after-first-paint")).filter(function(e){return getComputedStyle(e).contentVisibility==="hidden"});reveal(0)}function loaded(){if(document.hidden)return show();try{new PerformanceObserver(painted).observe({type:"paint",buffered:true})}catch(e){show()}}var n=performance.getEntriesByType("navigation")[0];if(location.hash||!n||n.type!=="navigate")show();["pointerdown","keydown","scroll"].forEach(function(e){addEventListener(e,show,{once:true,capture:true,passive:true})});addEventListener("load",loaded);setTimeout(show,${LIMIT_MS})})(document.documentElement)`;
