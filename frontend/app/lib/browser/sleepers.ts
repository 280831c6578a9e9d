/** A part of the document that is there to be read, and that React does not take over until it wakes. */
export interface Sleeper {
  readonly awake: boolean;
  /** Fulfilled once it wakes. */
  readonly woken: Promise<void>;
  wake(): void;
  /** Whether the part has been shown to React, which renders it again only when something changes. */
  watched: boolean;
}

/** How far outside the window a part still sleeps. */
const MARGIN = "200px";

/**
 * What a visitor does in a part before anything comes of it. A panel that opens is asked for too:
 * it stands nowhere near until then.
 */
const SIGNS = [
  "pointerover",
  "pointerdown",
  "touchstart",
  "focusin",
  "keydown",
  "input",
  "click",
  "beforetoggle",
];

const watched = new Map<Element, Sleeper>();
let near: IntersectionObserver | undefined;
let begun = false;

/** Whether the document that the server has sent is still being taken over for the first time. */
export function isTakingOver(): boolean {
  return typeof document !== "undefined" && !begun;
}

/** From now on parts come from the browser itself, and have nothing to sleep in. */
export function takenOver(): void {
  begun = true;
}

export function makeSleeper(): Sleeper {
  let awake = false;
  let tell = () => {};
  const woken = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return {
    get awake() {
      return awake;
    },
    woken,
    wake() {
      awake = true;
      tell();
    },
    watched: false,
  };
}

/** Wakes the sleeper when its element comes near the window, or is used from afar. */
export function watch(element: Element, sleeper: Sleeper): () => void {
  sleeper.watched = true;
  if (watched.size === 0) {
    // On the window: React itself listens below it, and can take a part over for the very event.
    for (const sign of SIGNS) addEventListener(sign, onSign, { capture: true, passive: true });
  }
  near ??= new IntersectionObserver(onMove, { rootMargin: MARGIN });
  watched.set(element, sleeper);
  near.observe(element);
  return () => forget(element);
}

/** Wakes all there are. */
export function wakeAll(): void {
  for (const element of watched.keys()) wake(element);
}

function onMove(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, boundingClientRect, target } of entries) {
    // What has no height shows nothing: a panel that is closed.
    if (isIntersecting && boundingClientRect.height > 0) wake(target);
  }
}

function onSign({ target }: Event): void {
  for (let each = target instanceof Element ? target : null; each; each = each.parentElement) {
    wake(each);
  }
}

function wake(element: Element): void {
  watched.get(element)?.wake();
  forget(element);
}

function forget(element: Element): void {
  if (!watched.delete(element)) return;
  near?.unobserve(element);
  if (watched.size > 0) return;
  for (const sign of SIGNS) removeEventListener(sign, onSign, { capture: true });
}
