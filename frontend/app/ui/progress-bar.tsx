import { useNavigation } from "react-router";

/** Shows that the next page is loading, once that takes longer than a moment. */
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

/** The final state of the bar when the page failed to load. */
export function FailedBar() {
  return <div className="loading-bar" data-failed aria-hidden="true" />;
}
