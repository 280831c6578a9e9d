import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from "react";
import type { Picture } from "#app/lib/api/types.ts";
import { formatPercent } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { lightboxMessages } from "./messages.ts";
import { Slide } from "./slide.tsx";
import { keyAction, lightboxReducer, type Outcome, opened, validPictures } from "./state.ts";
import { Thumbnails } from "./thumbnails.tsx";
import { useGestures } from "./use-gestures.ts";
import { useStageSize } from "./use-stage-size.ts";
import { FITTED, type Frame, fittedSize, LIMITS, mostZoom, pan, stepZoom } from "./view.ts";

/** Told to the page, bubbling from the dialog, when a picture can't be shown. */
const PICTURE_ERROR = "picture-error";

export interface LightboxProps {
  pictures: readonly Picture[];
  /** Which to open at. */
  start: number;
  /** What the pictures are of, and what is said of one that the editors have not described. */
  title: string;
  alt: (index: number) => string;
  onClose: () => void;
}

/** The photographs over the whole screen, one at a time. */
export function Lightbox({ pictures: all, start, title, alt, onClose }: LightboxProps) {
  const t = useMessages(lightboxMessages);
  const locale = useLocale();
  const dialog = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [pictures] = useState(() => validPictures(all));
  const [state, dispatch] = useReducer(lightboxReducer, undefined, () =>
    opened(start, pictures.length),
  );
  const { index, view, count } = state;
  const picture = pictures[index];
  const size = useStageSize(stage);
  const frame: Frame | undefined = picture && size && { natural: picture, stage: size };
  const close = () => dialog.current?.close();
  const go = (to: number) => dispatch({ type: "go", to });
  const zoom = (direction: 1 | -1) => {
    if (frame) dispatch({ type: "look", view: stepZoom(view, direction, frame) });
  };
  const fitToScreen = () => dispatch({ type: "look", view: FITTED });
  const gestures = useGestures({ stage, state, frame, dispatch, onPressBeside: close });

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLDialogElement>) => {
    if (event.key === "Tab") return keepFocus(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keyAction(event.key, state);
    if (!action) return;
    event.preventDefault();
    if (action.type === "go") go(action.to);
    else if (action.type === "zoom") zoom(action.direction);
    else if (action.type === "fit") fitToScreen();
    else if (frame) dispatch({ type: "look", view: pan(view, action, frame) });
  };

  const settle = (at: number) => (outcome: Outcome) => {
    dispatch({ type: "outcome", index: at, outcome });
    if (outcome === "shown") return;
    const detail = { index: at, file: pictures[at]?.file };
    dialog.current?.dispatchEvent(new CustomEvent(PICTURE_ERROR, { bubbles: true, detail }));
  };

  const percent = Math.round(view.scale * 100);
  const busy = state.dragging || state.gesturing || state.wheeling;
  const said =
    count === 0
      ? t.none
      : `${t.position(index + 1, count)}: ${state.outcomes[index] === "broken" ? t.broken : (picture?.alt ?? "")}`;
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onKeyDown={onKeyDown}
      data-zoom={view.scale.toFixed(2)}
      className="lightbox scheme-dark"
    >
      <div className="flex h-16 shrink-0 items-center gap-1 px-3 sm:px-5">
        <p className="mr-auto font-medium whitespace-nowrap tabular-nums" aria-hidden="true">
          {count === 0 ? null : `${index + 1} / ${count}`}
        </p>
        <p className="sr-only" aria-live="polite">
          {said}
        </p>
        <p className="sr-only" aria-live="polite">
          {view.scale === 1 ? "" : t.zoom(percent)}
        </p>
        {frame ? (
          <>
            <Control
              icon="minus"
              name={t.zoomOut}
              disabled={view.scale <= LIMITS.leastZoom}
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
              disabled={view.scale >= mostZoom(frame)}
              onPress={() => zoom(1)}
            />
          </>
        ) : null}
        <Control icon="close" name={t.close} onPress={close} focused />
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
                  eased={!busy}
                  outcome={state.outcomes[at]}
                  onOutcome={settle(at)}
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
    </dialog>
  );
}

interface ControlProps {
  icon: IconName;
  name: string;
  onPress: () => void;
  /** At its end it does nothing, but keeps the focus. */
  disabled?: boolean;
  /** On the picture, with a ground of its own. */
  raised?: boolean;
  /** Where the focus starts. */
  focused?: boolean;
}

function Control({ icon, name, onPress, disabled = false, raised = false, focused }: ControlProps) {
  return (
    <button
      type="button"
      // biome-ignore lint/a11y/noAutofocus: a dialog's first focus
      autoFocus={focused}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onPress}
      className={`inline-flex size-11 items-center justify-center rounded-full ${raised ? "bg-canvas/80 hover:bg-canvas" : "hover:bg-sunk"} aria-disabled:cursor-default aria-disabled:opacity-35`}
    >
      <Icon name={icon} />
      <span className="sr-only">{name}</span>
    </button>
  );
}

/** A dialog lets the focus out to the browser's own bars; here it goes round. */
function keepFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  const buttons = event.currentTarget.querySelectorAll("button");
  const first = buttons[0];
  const last = buttons[buttons.length - 1];
  const [edge, other] = event.shiftKey ? [first, last] : [last, first];
  if (document.activeElement !== edge) return;
  event.preventDefault();
  other?.focus();
}
