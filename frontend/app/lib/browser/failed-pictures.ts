/** Milliseconds before each retry of a picture; the actual delay is up to twice as long. */
const RETRY_DELAYS = [3_000, 10_000, 30_000];

const hasFailed = ({ complete, naturalWidth, currentSrc }: HTMLImageElement) =>
  complete && naturalWidth === 0 && currentSrc !== "";

/** Makes the browser choose among the picture's addresses again, and fetch. */
function retryNow(picture: HTMLImageElement): void {
  const { src } = picture;
  if (hasFailed(picture)) picture.src = src;
}

/**
 * Retries pictures that failed to load. A browser tries once, so a picture that a busy site refused or a lost
 * connection cut off would stay a blur. Returns a function that stops it.
 */
export function retryFailedPictures(): () => void {
  const attempts = new Map<string, number>();
  const listening = new AbortController();
  const { signal } = listening;

  const scheduleRetry = (picture: HTMLImageElement) => {
    const attempt = attempts.get(picture.currentSrc) ?? 0;
    const delay = RETRY_DELAYS[attempt];
    if (delay === undefined) return;
    attempts.set(picture.currentSrc, attempt + 1);
    // The jitter spreads the retries of this page and of other visitors who were refused.
    const retry = () => {
      if (!signal.aborted) retryNow(picture);
    };
    setTimeout(retry, delay * (1 + Math.random()));
  };

  // The error event of a picture does not bubble.
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
      for (const picture of document.images) retryNow(picture);
    },
    { signal },
  );
  for (const picture of document.images) if (hasFailed(picture)) scheduleRetry(picture);
  return () => listening.abort();
}
