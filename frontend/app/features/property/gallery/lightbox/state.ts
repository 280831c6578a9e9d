import type { Picture } from "#app/lib/api/types.ts";
import { FITTED, type View } from "./view.ts";

/** What came of asking for a picture; none yet while it is under way. */
export type Outcome = "loaded" | "broken";

/** What the lightbox knows while it is open. */
export interface LightboxState {
  readonly index: number;
  readonly count: number;
  readonly view: View;
  /** How far a finger has pulled the fitted picture aside. */
  readonly pull: number;
  readonly outcomes: Readonly<Record<number, Outcome>>;
  /** What the visitor is doing: the picture then follows at once, without easing. */
  readonly dragging: boolean;
  readonly gesturing: boolean;
  readonly wheeling: boolean;
}

export type LightboxAction =
  | { type: "go"; to: number }
  | { type: "look"; view: View }
  | { type: "pull"; by: number }
  | { type: "outcome"; index: number; outcome: Outcome }
  | { type: "do"; dragging?: boolean; gesturing?: boolean; wheeling?: boolean };

/** The index to open at: one that is out of range is brought into it. */
export function openingIndex(index: number, count: number): number {
  const asked = Number.isInteger(index) ? index : 0;
  return Math.max(0, Math.min(asked, count - 1));
}

export function opened(index: number, count: number): LightboxState {
  return {
    index: openingIndex(index, count),
    count,
    view: FITTED,
    pull: 0,
    outcomes: {},
    dragging: false,
    gesturing: false,
    wheeling: false,
  };
}

export function lightboxReducer(state: LightboxState, action: LightboxAction): LightboxState {
  switch (action.type) {
    case "go": {
      const { to } = action;
      const real = Number.isInteger(to) && to >= 0 && to < state.count && to !== state.index;
      // Beyond the ends there is nothing: the picture at hand goes back to where it stood.
      return real ? { ...state, index: to, view: FITTED, pull: 0 } : { ...state, pull: 0 };
    }
    case "look":
      return { ...state, view: action.view, pull: 0 };
    case "pull":
      return { ...state, pull: action.by };
    case "outcome":
      return { ...state, outcomes: { ...state.outcomes, [action.index]: action.outcome } };
    case "do": {
      const { type: _, ...doing } = action;
      return { ...state, ...doing };
    }
  }
}

/** The pictures that can be shown at all. */
export function validPictures(pictures: readonly Picture[]): Picture[] {
  return pictures.filter(({ file, width, height }) => file !== "" && width > 0 && height > 0);
}

/** What a key asks for. */
type KeyAction =
  | { type: "go"; to: number }
  | { type: "zoom"; direction: 1 | -1 }
  | { type: "fit" }
  | { type: "pan"; x: number; y: number };

const PAN_STEP = 80;
const ARROWS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The keys: arrows for the picture before and after, or for moving about in an enlarged one; Home
 * and End, plus and minus, 0. Escape is the dialog's own.
 */
export function keyAction(
  key: string,
  { index, count, view }: Pick<LightboxState, "index" | "count" | "view">,
): KeyAction | undefined {
  const arrow = ARROWS[key];
  if (arrow) {
    const [x, y] = arrow;
    // The picture moves against the arrow: what lies that way comes into sight.
    if (view.scale > 1) return { type: "pan", x: -x * PAN_STEP, y: -y * PAN_STEP };
    return x === 0 ? undefined : { type: "go", to: index + x };
  }
  switch (key) {
    case "Home":
      return { type: "go", to: 0 };
    case "End":
      return { type: "go", to: count - 1 };
    case "PageUp":
      return { type: "go", to: index - 1 };
    case "PageDown":
      return { type: "go", to: index + 1 };
    case "+":
    case "=":
      return { type: "zoom", direction: 1 };
    case "-":
    case "_":
      return { type: "zoom", direction: -1 };
    case "0":
      return { type: "fit" };
    default:
      return undefined;
  }
}
