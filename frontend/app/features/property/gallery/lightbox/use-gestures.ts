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
  LIMITS,
  type Point,
  pan,
  pinchZoom,
  stepZoom,
  swipeOf,
  toggleZoom,
  type View,
  wheelCounts,
} from "./view.ts";

/** A press that moves less is a press, not a drag. */
const PRESS_PX = 5;

interface Hold {
  readonly start: View;
  readonly from: Point;
  /** Between two fingers, when they met the picture. */
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

/** Mouse, pen and fingers on the stage: drag, swipe, pinch, wheel, double press. */
export function useGestures({ stage, state, frame, dispatch, onPressBeside }: Gestures) {
  const pointers = useRef(new Map<number, Point>());
  const hold = useRef<Hold>(undefined);
  /** From now on every move is ours; not before, since a captured press is no click of a button. */
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!hold.current || hold.current.moved) return;
    hold.current.moved = true;
    for (const id of pointers.current.keys()) event.currentTarget.setPointerCapture(id);
  };
  const at = (event: { clientX: number; clientY: number }): Point => {
    const box = stage.current?.getBoundingClientRect();
    return {
      x: event.clientX - (box ? box.left + box.width / 2 : 0),
      y: event.clientY - (box ? box.top + box.height / 2 : 0),
    };
  };

  /** One finger drags, two pinch; each change of their number starts from what is seen now. */
  const takeHold = () => {
    const [one, two] = [...pointers.current.values()];
    const moved = hold.current?.moved ?? false;
    if (one && two) {
      hold.current = { start: state.view, from: middle(one, two), distance: span(one, two), moved };
    } else if (one) {
      hold.current = { start: state.view, from: one, moved };
    } else {
      hold.current = undefined;
    }
    dispatch({ type: "do", dragging: one !== undefined && !two, gesturing: two !== undefined });
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || !frame || pointers.current.size === 2) return;
    pointers.current.set(event.pointerId, at(event));
    takeHold();
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!pointers.current.has(event.pointerId) || !hold.current || !frame) return;
    pointers.current.set(event.pointerId, at(event));
    const { start, from, distance } = hold.current;
    const [one = from, two] = [...pointers.current.values()];
    if (two && distance) {
      drag(event);
      const ratio = span(one, two) / distance;
      dispatch({ type: "look", view: pinchZoom(start, ratio, frame, middle(one, two)) });
      return;
    }
    const by = { x: one.x - from.x, y: one.y - from.y };
    if (Math.hypot(by.x, by.y) > PRESS_PX) drag(event);
    if (start.scale > 1) dispatch({ type: "look", view: pan(start, by, frame) });
    else dispatch({ type: "pull", by: by.x });
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    if (!pointers.current.delete(event.pointerId) || !hold.current || !frame) return;
    const { start, from, distance, moved } = hold.current;
    const end = at(event);
    const cancelled = event.type === "pointercancel";
    if (distance === undefined && start.scale <= 1) {
      const swipe = cancelled ? 0 : swipeOf({ x: end.x - from.x, y: end.y - from.y });
      dispatch({ type: "go", to: state.index + swipe });
    } else if (distance !== undefined && state.view.scale < 1) {
      dispatch({ type: "look", view: FITTED });
    }
    const pressed = !(moved || cancelled || onButton(event));
    if (pressed && beside(end, state.view, frame)) onPressBeside();
    takeHold();
  };

  const onDoubleClick = (event: MouseEvent<HTMLDivElement>) => {
    if (frame && !onButton(event))
      dispatch({ type: "look", view: toggleZoom(state.view, frame, at(event)) });
  };

  useWheel(
    stage,
    (event) => {
      if (!frame) return;
      const direction = event.deltaY < 0 ? 1 : -1;
      dispatch({ type: "look", view: stepZoom(state.view, direction, frame, at(event)) });
    },
    (wheeling) => dispatch({ type: "do", wheeling }),
  );

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onDoubleClick };
}

/** The arrows stand on the stage: a swipe may begin there, a press is theirs. */
function onButton({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest("button") !== null;
}

/** Listens to the wheel in place of scrolling; React's own listener could not prevent that. */
function useWheel(
  element: RefObject<HTMLElement | null>,
  turn: (event: WheelEvent) => void,
  wheeling: (on: boolean) => void,
): void {
  const onTurn = useEffectEvent(turn);
  const onWheeling = useEffectEvent(wheeling);
  useEffect(() => {
    const target = element.current;
    let last = Number.NEGATIVE_INFINITY;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      if (event.deltaY === 0 || !wheelCounts(last, event.timeStamp)) return;
      last = event.timeStamp;
      onWheeling(true);
      onTurn(event);
      clearTimeout(rest);
      rest = setTimeout(() => onWheeling(false), LIMITS.wheelMs * 2);
    };
    target?.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      clearTimeout(rest);
      target?.removeEventListener("wheel", onWheel);
    };
  }, [element]);
}

function middle(one: Point, two: Point): Point {
  return { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 };
}

function span(one: Point, two: Point): number {
  return Math.hypot(one.x - two.x, one.y - two.y);
}

function beside(at: Point, view: View, frame: Frame): boolean {
  const { width, height } = fittedSize(frame);
  return (
    Math.abs(at.x - view.x) > (width * view.scale) / 2 ||
    Math.abs(at.y - view.y) > (height * view.scale) / 2
  );
}
