import { type KeyboardEvent, type Ref, type RefObject, useReducer, useRef, useState } from "react";
import type { Picture } from "#app/lib/api/types.ts";
import { formatPercent } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { FullDialog } from "#app/ui/dialog.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { lightboxMessages } from "./messages.ts";
import { Slide } from "./slide.tsx";
import { initialState, keyAction, lightboxReducer, type Outcome, validPictures } from "./state.ts";
import { Thumbnails } from "./thumbnails.tsx";
import { useGestures } from "./use-gestures.ts";
import { useStageSize } from "./use-stage-size.ts";
import { FITTED, type Frame, fittedSize, LIMITS, maxZoom, pan, stepZoom } from "./view.ts";

/** The name of the bubbling event that is dispatched when a picture can't be shown. */
const PICTURE_ERROR = "picture-error";

export interface LightboxProps {
  pictures: readonly Picture[];
  /** The index of the picture to open at; undefined while the lightbox is closed. */
  start: number | undefined;
  /** The subject of the pictures, and `alt`, the text for a picture that the editors have not described. */
  title: string;
  alt: (index: number) => string;
  onClose: () => void;
  /** The element that gets the focus back. */
  opener: RefObject<HTMLElement | null>;
}

/** Full-screen photographs, one at a time; on a dark background in both themes. */
export function Lightbox({ start, title, opener, ...photographs }: LightboxProps) {
  const first = useRef<HTMLButtonElement>(null);
  return (
    <FullDialog
      label={title}
      open={start !== undefined}
      onClose={photographs.onClose}
      first={first}
      opener={opener}
      className="always-dark"
    >
      <Photographs {...photographs} start={start ?? 0} closeButton={first} />
    </FullDialog>
  );
}

interface PhotographsProps extends Pick<LightboxProps, "pictures" | "alt" | "onClose"> {
  start: number;
  closeButton: Ref<HTMLButtonElement>;
}

function Photographs({ pictures: all, start, alt, onClose, closeButton }: PhotographsProps) {
  const t = useMessages(lightboxMessages);
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [pictures] = useState(() => validPictures(all));
  const [state, dispatch] = useReducer(lightboxReducer, undefined, () =>
    initialState(start, pictures.length),
  );
  const { index, view, count } = state;
  const picture = pictures[index];
  const size = useStageSize(stage);
  const frame: Frame | undefined = picture && size && { natural: picture, stage: size };
  const go = (to: number) => dispatch({ type: "go", to });
  const zoom = (direction: 1 | -1) => {
    if (frame) dispatch({ type: "view", view: stepZoom(view, direction, frame) });
  };
  const fitToScreen = () => dispatch({ type: "view", view: FITTED });
  const gestures = useGestures({ stage, state, frame, dispatch, onPressBeside: onClose });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keyAction(event.key, state);
    if (!action) return;
    event.preventDefault();
    if (action.type === "go") go(action.to);
    else if (action.type === "zoom") zoom(action.direction);
    else if (action.type === "fit") fitToScreen();
    else if (frame) dispatch({ type: "view", view: pan(view, action, frame) });
  };

  const recordOutcome = (at: number) => (outcome: Outcome) => {
    dispatch({ type: "outcome", index: at, outcome });
    if (outcome === "loaded") return;
    const detail = { index: at, file: pictures[at]?.file };
    box.current?.dispatchEvent(new CustomEvent(PICTURE_ERROR, { bubbles: true, detail }));
  };

  const percent = Math.round(view.scale * 100);
  const isMoving = state.dragging || state.gesturing || state.wheeling;
  const announcement =
    count === 0
      ? t.none
      : `${t.position(index + 1, count)}: ${state.outcomes[index] === "broken" ? t.broken : (picture?.alt ?? "")}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the whole dialog handles the arrow keys
    <div
      ref={box}
      // Receives the focus when the photograph is pressed, so that the keys keep working.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      data-zoom={view.scale.toFixed(2)}
      className="flex h-full flex-col outline-none"
    >
      <div className="flex h-16 shrink-0 items-center gap-1 px-3 sm:px-5">
        <p className="mr-auto font-medium whitespace-nowrap tabular-nums" aria-hidden="true">
          {count === 0 ? null : `${index + 1} / ${count}`}
        </p>
        <p className="sr-only" aria-live="polite">
          {announcement}
        </p>
        <p className="sr-only" aria-live="polite">
          {view.scale === 1 ? "" : t.zoom(percent)}
        </p>
        {frame ? (
          <>
            <Control
              icon="minus"
              name={t.zoomOut}
              disabled={view.scale <= LIMITS.minZoom}
              onPress={() => zoom(-1)}
            />
            <button
              type="button"
              onClick={fitToScreen}
              className="min-h-11 min-w-14 rounded-full px-2 text-sm tabular-nums hover:bg-sunk"
            >
              {formatPercent(locale, percent)}
              <span className="sr-only">, {t.fit}</span>
            </button>
            <Control
              icon="plus"
              name={t.zoomIn}
              disabled={view.scale >= maxZoom(frame)}
              onPress={() => zoom(1)}
            />
          </>
        ) : null}
        <Control icon="close" name={t.close} onPress={onClose} ref={closeButton} />
      </div>
      <div
        ref={stage}
        {...gestures}
        className={`relative min-h-0 flex-1 touch-none overflow-hidden select-none ${view.scale > 1 ? (state.dragging ? "cursor-grabbing" : "cursor-grab") : ""}`}
      >
        {size
          ? pictures.map((each, at) =>
              Math.abs(at - index) > 1 ? null : (
                <Slide
                  key={each.file}
                  picture={each}
                  alt={each.alt || alt(at)}
                  offset={at - index}
                  fitted={fittedSize({ natural: each, stage: size })}
                  view={view}
                  pull={state.pull}
                  eased={!isMoving}
                  outcome={state.outcomes[at]}
                  onOutcome={recordOutcome(at)}
                />
              ),
            )
          : null}
        {count === 0 ? (
          <p role="alert" className="flex size-full flex-col items-center justify-center gap-3">
            <Icon name="broken" className="size-10" />
            {t.none}
          </p>
        ) : null}
        {count > 1 ? (
          <>
            <div className="absolute top-1/2 left-3 -translate-y-1/2 sm:left-5">
              <Control
                icon="back"
                name={t.previous}
                disabled={index === 0}
                onPress={() => go(index - 1)}
                raised
              />
            </div>
            <div className="absolute top-1/2 right-3 -translate-y-1/2 sm:right-5">
              <Control
                icon="forward"
                name={t.next}
                disabled={index === count - 1}
                onPress={() => go(index + 1)}
                raised
              />
            </div>
          </>
        ) : null}
      </div>
      {count > 1 ? <Thumbnails pictures={pictures} index={index} onGo={go} /> : null}
    </div>
  );
}

interface ControlProps {
  icon: IconName;
  name: string;
  onPress: () => void;
  /** At the end of its range the button does nothing, but keeps the focus. */
  disabled?: boolean;
  /** Whether it is on the picture, and so needs its own background. */
  raised?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

function Control({ icon, name, onPress, disabled = false, raised = false, ref }: ControlProps) {
  return (
    <button
      ref={ref}
      type="button"
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onPress}
      className={`inline-flex size-11 items-center justify-center rounded-full ${raised ? "bg-canvas/85 hover:bg-canvas" : "hover:bg-sunk"} aria-disabled:cursor-default aria-disabled:opacity-35`}
    >
      <Icon name={icon} />
      <span className="sr-only">{name}</span>
    </button>
  );
}
