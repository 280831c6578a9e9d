import type { Picture } from "#app/lib/api/types.ts";
import { FITTED, type View } from "./view.ts";

/** The result of loading a picture; undefined while it is loading. */
export type Outcome = "loaded" | "broken";

/** The state of an open lightbox. */
export interface LightboxState {
  readonly index: number;
  readonly count: number;
  readonly view: View;
  /** How far a swipe has moved the fitted picture sideways, in pixels. */
  readonly pull: number;
  readonly outcomes: Readonly<Record<number, Outcome>>;
  /** What the visitor is doing: meanwhile movements are immediate, not animated. */
  readonly dragging: boolean;
  readonly gesturing: boolean;
  readonly wheeling: boolean;
}

export type LightboxAction =
  | { type: "go"; to: number }
  | { type: "view"; view: View }
  | { type: "pull"; by: number }
  | { type: "outcome"; index: number; outcome: Outcome }
  | { type: "do"; dragging?: boolean; gesturing?: boolean; wheeling?: boolean };

/** Returns the index to open at, limited to the valid range. */
export function clampedIndex(index: number, count: number): number {
  const requested = Number.isInteger(index) ? index : 0;
  return Math.max(0, Math.min(requested, count - 1));
}

export function initialState(index: number, count: number): LightboxState {
  return {
    index: clampedIndex(index, count),
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
      const isValid = Number.isInteger(to) && to >= 0 && to < state.count && to !== state.index;
      // Beyond the ends, the current picture returns to its place.
      return isValid ? { ...state, index: to, view: FITTED, pull: 0 } : { ...state, pull: 0 };
    }
    case "view":
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

/** Returns the pictures that can be shown: those with a file and a size. */
export function validPictures(pictures: readonly Picture[]): Picture[] {
  return pictures.filter(({ file, width, height }) => file !== "" && width > 0 && height > 0);
}

/** What a key does. */
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
 * Maps a key to its action. Arrow keys go to the previous or next picture, or pan an enlarged one. Home, End,
 * Page Up, Page Down, plus, minus and 0 are mapped too. The dialog itself handles Escape.
 */
export function keyAction(
  key: string,
  { index, count, view }: Pick<LightboxState, "index" | "count" | "view">,
): KeyAction | undefined {
  const arrow = ARROWS[key];
  if (arrow) {
    const [x, y] = arrow;
    // The picture moves against the arrow, to reveal what is in the arrow's direction.
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
