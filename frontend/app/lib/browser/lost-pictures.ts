/** How long after each loss a picture is asked for again, in milliseconds; up to twice as long. */
const PAUSES = [3_000, 10_000, 30_000];

const isLost = ({ complete, naturalWidth, currentSrc }: HTMLImageElement) =>
  complete && naturalWidth === 0 && currentSrc !== "";

/** Has the browser choose among the picture's addresses once more, and ask. */
function ask(picture: HTMLImageElement): void {
  const { src } = picture;
  if (isLost(picture)) picture.src = src;
}

/**
 * Asks again for pictures that did not come: a browser asks once, so what a busy site refused or a lost line
 * kept away would stay a blur. Gives what ends it.
 */
export function fetchLostPictures(): () => void {
  const tries = new Map<string, number>();
  const listening = new AbortController();
  const { signal } = listening;

  const scheduleRetry = (picture: HTMLImageElement) => {
    const tried = tries.get(picture.currentSrc) ?? 0;
    const pause = PAUSES[tried];
    if (pause === undefined) return;
    tries.set(picture.currentSrc, tried + 1);
    // Not all at once, and not with everybody else who was refused.
    const retry = () => {
      if (!signal.aborted) ask(picture);
    };
    setTimeout(retry, pause * (1 + Math.random()));
  };

  // The error of a picture does not bubble.
  addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLImageElement) scheduleRetry(target);
    },
    { capture: true, signal },
  );
  addEventListener(
    "online",
    () => {
      for (const picture of document.images) ask(picture);
    },
    { signal },
  );
  for (const picture of document.images) if (isLost(picture)) scheduleRetry(picture);
  return () => listening.abort();
}
