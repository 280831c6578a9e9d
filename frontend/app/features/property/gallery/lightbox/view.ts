/** How far a picture may be enlarged, and how fast: the limits of the specification. */
export const LIMITS = {
  /** What one press or one turn of the wheel adds. */
  zoomStep: 0.12,
  /** The smallest a picture gets, against the size that fits the screen. */
  minZoom: 0.1,
  /** The largest, against the picture's natural size. */
  maxNatural: 3,
  /** Two fingers: the least against the fitted size, the most against the natural one. */
  pinchLeast: 0.5,
  pinchMostNatural: 1.5,
  /** Turns of the wheel that come sooner after the last one are left out. */
  wheelMs: 80,
  /** A finger that moved less has not swiped. */
  swipeTolerance: 50,
} as const;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Measured from the middle of the stage. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A picture and the stage that it stands on, both in CSS pixels. */
export interface Frame {
  readonly natural: Size;
  readonly stage: Size;
}

/** How a picture is looked at: scale 1 fits it into the stage. */
export interface View extends Point {
  readonly scale: number;
}

export const FITTED: View = { scale: 1, x: 0, y: 0 };

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The size at scale 1: the whole picture in sight, and never larger than it is. */
export function fittedSize({ natural, stage }: Frame): Size {
  const fit = Math.min(1, stage.width / natural.width, stage.height / natural.height);
  return { width: natural.width * fit, height: natural.height * fit };
}

/** The scale at which the picture has its natural size. */
export function naturalScale(frame: Frame): number {
  return frame.natural.width / fittedSize(frame).width;
}

export function maxZoom(frame: Frame): number {
  return LIMITS.maxNatural * naturalScale(frame);
}

/** Keeps the picture over the stage: an edge of it is never dragged further in than the stage's. */
function withinStage(view: View, frame: Frame): View {
  const fitted = fittedSize(frame);
  const room = (picture: number, stage: number) => Math.max(0, (picture * view.scale - stage) / 2);
  const roomX = room(fitted.width, frame.stage.width);
  const roomY = room(fitted.height, frame.stage.height);
  return { scale: view.scale, x: clamp(view.x, -roomX, roomX), y: clamp(view.y, -roomY, roomY) };
}

/** Another scale, with the part of the picture under `at` staying where it is. */
function scaled(view: View, scale: number, frame: Frame, at: Point): View {
  const ratio = scale / view.scale;
  return withinStage(
    { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio },
    frame,
  );
}

/** One step in (1) or out (-1). */
export function stepZoom(view: View, direction: 1 | -1, frame: Frame, at: Point = FITTED): View {
  const wanted = view.scale + direction * LIMITS.zoomStep;
  return scaled(view, clamp(wanted, LIMITS.minZoom, maxZoom(frame)), frame, at);
}

/** Two fingers that have moved apart by `ratio` since they met the picture. */
export function pinchZoom(start: View, ratio: number, frame: Frame, at: Point): View {
  // It may be beyond these already, by other means: two fingers that rest on it don't move it.
  const least = Math.min(start.scale, LIMITS.pinchLeast);
  const most = Math.max(start.scale, LIMITS.pinchMostNatural * naturalScale(frame));
  return scaled(start, clamp(start.scale * ratio, least, most), frame, at);
}

/** A double press: between the fitted and the natural size, or twice the fitted where they are one. */
export function toggleZoom(view: View, frame: Frame, at: Point): View {
  if (view.scale !== 1) return FITTED;
  return scaled(view, clamp(naturalScale(frame), 2, maxZoom(frame)), frame, at);
}

export function pan(start: View, by: Point, frame: Frame): View {
  return withinStage({ scale: start.scale, x: start.x + by.x, y: start.y + by.y }, frame);
}

/** Where a finger's way leads: the next picture (1), the one before (-1), or nowhere. */
export function swipeOf({ x, y }: Point): 1 | 0 | -1 {
  if (Math.abs(x) <= LIMITS.swipeTolerance || Math.abs(x) <= Math.abs(y)) return 0;
  return x < 0 ? 1 : -1;
}

/** Whether a turn of the wheel counts, so long after the last one that did. */
export function wheelCounts(last: number, now: number): boolean {
  return now - last >= LIMITS.wheelMs;
}
