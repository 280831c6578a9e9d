import { useNavigation } from "react-router";

/** Shows that the next page is on its way, once that takes longer than a moment. */
export function ProgressBar() {
  const { state } = useNavigation();
  return (
    <div
      className="loading-bar"
      data-loading={state === "loading" || undefined}
      aria-hidden="true"
    />
  );
}

/** How the bar ends where the page did not come. */
export function FailedBar() {
  return <div className="loading-bar" data-failed aria-hidden="true" />;
}
