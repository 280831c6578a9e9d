/** Told to the window when the first paint is done, or the visitor does not wait for it. */
export const SHOWN_EVENT = "shown";

/** How long anything waits for a first paint, as where a picture hangs, in milliseconds. */
const LIMIT_MS = 4_000;

/**
 * Runs in the head. It marks the document with `data-shown` once what stands in the first window is
 * painted, with its letters and pictures; scripts and what lies below wait for that and leave it the
 * line. They don't wait for it after a step back or a reload, which goes to where the visitor was,
 * nor where the address names a place further down. It is one fixed text, so the policy's hash of it
 * stays the same.
 */
export const SHOWN_SCRIPT = `(function(d){function show(){if("shown"in d.dataset)return;d.dataset.shown="";dispatchEvent(new Event("${SHOWN_EVENT}"))}function painted(){if(document.hidden)return show();try{new PerformanceObserver(show).observe({type:"paint",buffered:true})}catch(e){show()}}var n=performance.getEntriesByType("navigation")[0];if(location.hash||!n||n.type!=="navigate")show();["pointerdown","keydown","scroll"].forEach(function(e){addEventListener(e,show,{once:true,capture:true,passive:true})});addEventListener("load",painted);setTimeout(show,${LIMIT_MS})})(document.documentElement)`;
