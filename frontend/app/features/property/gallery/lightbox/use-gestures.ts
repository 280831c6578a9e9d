import {
  type Dispatch,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from "react";
import type { LightboxAction, LightboxState } from "./state.ts";
import {
  FITTED,
  type Frame,
  fittedSize,
  isWheelStep,
  LIMITS,
  type Point,
  pan,
  pinchZoom,
  stepZoom,
  swipeDirection,
  toggleZoom,
  type View,
} from "./view.ts";

/** A pointer that moves less than this makes a press, not a drag. */
const PRESS_PX = 5;

/** A gesture in progress, with the view and the pointer position that it started from. */
interface Gesture {
  readonly start: View;
  readonly from: Point;
  /** The distance between two fingers at the start; undefined for one finger. */
  readonly distance?: number;
  moved: boolean;
}

interface Gestures {
  stage: RefObject<HTMLDivElement | null>;
  state: LightboxState;
  frame: Frame | undefined;
  dispatch: Dispatch<LightboxAction>;
  /** A press beside the picture. */
  onPressBeside: () => void;
}

/** Handles mouse, pen and touch on the stage: drag, swipe, pinch, wheel, double press. */
export function useGestures({ stage, state, frame, dispatch, onPressBeside }: Gestures) {
  const pointers = useRef(new Map<number, Point>());
  const gesture = useRef<Gesture>(undefined);
  /** Captures the pointers once a drag begins. Not earlier: a captured press would not click a button. */
  const startDrag = (event: PointerEvent<HTMLDivElement>) => {
    if (!gesture.current || gesture.current.moved) return;
    gesture.current.moved = true;
    for (const id of pointers.current.keys()) event.currentTarget.setPointerCapture(id);
  };
  const pointOf = (event: { clientX: number; clientY: number }): Point => {
    const box = stage.current?.getBoundingClientRect();
    return {
      x: event.clientX - (box ? box.left + box.width / 2 : 0),
      y: event.clientY - (box ? box.top + box.height / 2 : 0),
    };
  };

  /** Starts a gesture from the current view: one finger drags, two pinch. Called when the number changes. */
  const startGesture = () => {
    const [one, two] = [...pointers.current.values()];
    const moved = gesture.current?.moved ?? false;
    if (one && two) {
      gesture.current = {
        start: state.view,
        from: midpoint(one, two),
        distance: distanceBetween(one, two),
        moved,
      };
    } else if (one) {
      gesture.current = { start: state.view, from: one, moved };
    } else {
      gesture.current = undefined;
    }
    dispatch({ type: "do", dragging: one !== undefined && !two, gesturing: two !== undefined });
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || !frame || pointers.current.size === 2) return;
    pointers.current.set(event.pointerId, pointOf(event));
    startGesture();
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!pointers.current.has(event.pointerId) || !gesture.current || !frame) return;
    pointers.current.set(event.pointerId, pointOf(event));
    const { start, from, distance } = gesture.current;
    const [one = from, two] = [...pointers.current.values()];
    if (two && distance) {
      startDrag(event);
      const ratio = distanceBetween(one, two) / distance;
      dispatch({ type: "view", view: pinchZoom(start, ratio, frame, midpoint(one, two)) });
      return;
    }
    const by = { x: one.x - from.x, y: one.y - from.y };
    if (Math.hypot(by.x, by.y) > PRESS_PX) startDrag(event);
    if (start.scale > 1) dispatch({ type: "view", view: pan(start, by, frame) });
    else dispatch({ type: "pull", by: by.x });
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    if (!pointers.current.delete(event.pointerId) || !gesture.current || !frame) return;
    const { start, from, distance, moved } = gesture.current;
    const end = pointOf(event);
    const cancelled = event.type === "pointercancel";
    if (distance === undefined && start.scale <= 1) {
      const swipe = cancelled ? 0 : swipeDirection({ x: end.x - from.x, y: end.y - from.y });
      dispatch({ type: "go", to: state.index + swipe });
    } else if (distance !== undefined && state.view.scale < 1) {
      dispatch({ type: "view", view: FITTED });
    }
    const pressed = !(moved || cancelled || isOnButton(event));
    if (pressed && isBesidePicture(end, state.view, frame)) onPressBeside();
    startGesture();
  };

  const onDoubleClick = (event: MouseEvent<HTMLDivElement>) => {
    if (frame && !isOnButton(event))
      dispatch({ type: "view", view: toggleZoom(state.view, frame, pointOf(event)) });
  };

  useWheel(
    stage,
    (event) => {
      if (!frame) return;
      const direction = event.deltaY < 0 ? 1 : -1;
      dispatch({ type: "view", view: stepZoom(state.view, direction, frame, pointOf(event)) });
    },
    (wheeling) => dispatch({ type: "do", wheeling }),
  );

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onDoubleClick };
}

/** Returns whether the target is a button on the stage. A swipe may start there; a press belongs to it. */
function isOnButton({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

/** Handles the wheel and prevents scrolling, which React's passive listener can't do. */
function useWheel(
  element: RefObject<HTMLElement | null>,
  handleTurn: (event: WheelEvent) => void,
  setWheeling: (on: boolean) => void,
): void {
  const onTurn = useEffectEvent(handleTurn);
  const onWheeling = useEffectEvent(setWheeling);
  useEffect(() => {
    const target = element.current;
    let last = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      if (event.deltaY === 0 || !isWheelStep(last, event.timeStamp)) return;
      last = event.timeStamp;
      onWheeling(true);
      onTurn(event);
      clearTimeout(timer);
      timer = setTimeout(() => onWheeling(false), LIMITS.wheelMs * 2);
    };
    target?.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      clearTimeout(timer);
      target?.removeEventListener("wheel", onWheel);
    };
  }, [element]);
}

function midpoint(one: Point, two: Point): Point {
  return { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 };
}

function distanceBetween(one: Point, two: Point): number {
  return Math.hypot(one.x - two.x, one.y - two.y);
}

function isBesidePicture(at: Point, view: View, frame: Frame): boolean {
  const { width, height } = fittedSize(frame);
  return (
    Math.abs(at.x - view.x) > (width * view.scale) / 2 ||
    Math.abs(at.y - view.y) > (height * view.scale) / 2
  );
}
