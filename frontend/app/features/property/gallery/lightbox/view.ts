/** How far and how fast a picture may be zoomed, as specified. */
export const LIMITS = {
  /** The change of scale for one press or one wheel step. */
  zoomStep: 0.12,
  /** The minimum, relative to the size that fits the screen. */
  minZoom: 0.1,
  /** The maximum, relative to the picture's natural size. */
  maxNatural: 3,
  /** For pinching: the minimum relative to the fitted size, the maximum relative to the natural size. */
  pinchMin: 0.5,
  pinchMaxNatural: 1.5,
  /** Wheel events sooner than this after the last step are ignored. */
  wheelMs: 80,
  /** A swipe is longer than this, in pixels. */
  swipeTolerance: 50,
} as const;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A position in pixels, measured from the centre of the stage. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The sizes of a picture and of the stage that shows it, both in CSS pixels. */
export interface Frame {
  readonly natural: Size;
  readonly stage: Size;
}

/** The scale and the offset at which a picture is shown: scale 1 fits it into the stage. */
export interface View extends Point {
  readonly scale: number;
}

export const FITTED: View = { scale: 1, x: 0, y: 0 };

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** Returns the size at scale 1: the whole picture is in view, and never larger than its natural size. */
export function fittedSize({ natural, stage }: Frame): Size {
  const fit = Math.min(1, stage.width / natural.width, stage.height / natural.height);
  return { width: natural.width * fit, height: natural.height * fit };
}

/** Returns the scale at which the picture has its natural size. */
export function naturalScale(frame: Frame): number {
  return frame.natural.width / fittedSize(frame).width;
}

export function maxZoom(frame: Frame): number {
  return LIMITS.maxNatural * naturalScale(frame);
}

/** Limits the offset, so that an edge of the picture never moves further in than the edge of the stage. */
function clampToStage(view: View, frame: Frame): View {
  const fitted = fittedSize(frame);
  const slack = (picture: number, stage: number) => Math.max(0, (picture * view.scale - stage) / 2);
  const slackX = slack(fitted.width, frame.stage.width);
  const slackY = slack(fitted.height, frame.stage.height);
  return {
    scale: view.scale,
    x: clamp(view.x, -slackX, slackX),
    y: clamp(view.y, -slackY, slackY),
  };
}

/** Returns the view at another scale, such that the point of the picture under `at` does not move. */
function scaleAround(view: View, scale: number, frame: Frame, at: Point): View {
  const ratio = scale / view.scale;
  return clampToStage(
    { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio },
    frame,
  );
}

/** Zooms one step in (1) or out (-1). */
export function stepZoom(view: View, direction: 1 | -1, frame: Frame, at: Point = FITTED): View {
  const wanted = view.scale + direction * LIMITS.zoomStep;
  return scaleAround(view, clamp(wanted, LIMITS.minZoom, maxZoom(frame)), frame, at);
}

/** Zooms by `ratio`, by which the distance of two fingers has changed since `start`. */
export function pinchZoom(start: View, ratio: number, frame: Frame, at: Point): View {
  // The wheel or the buttons may have exceeded these limits. Then resting fingers must not change the scale.
  const min = Math.min(start.scale, LIMITS.pinchMin);
  const max = Math.max(start.scale, LIMITS.pinchMaxNatural * naturalScale(frame));
  return scaleAround(start, clamp(start.scale * ratio, min, max), frame, at);
}

/**
 * Toggles between the fitted and the natural size, for a double press. It enlarges at least to twice the
 * fitted size, also where both sizes are the same.
 */
export function toggleZoom(view: View, frame: Frame, at: Point): View {
  if (view.scale !== 1) return FITTED;
  return scaleAround(view, clamp(naturalScale(frame), 2, maxZoom(frame)), frame, at);
}

export function pan(start: View, by: Point, frame: Frame): View {
  return clampToStage({ scale: start.scale, x: start.x + by.x, y: start.y + by.y }, frame);
}

/** Returns where a swipe leads: to the next picture (1), the previous one (-1), or nowhere (0). */
export function swipeDirection({ x, y }: Point): 1 | 0 | -1 {
  if (Math.abs(x) <= LIMITS.swipeTolerance || Math.abs(x) <= Math.abs(y)) return 0;
  return x < 0 ? 1 : -1;
}

/** Returns whether a wheel event at `now` is a step of its own, given the time of the last step. */
export function isWheelStep(last: number, now: number): boolean {
  return now - last >= LIMITS.wheelMs;
}
