import { useNavigation } from "react-router";

/** Shows that the next page is on its way, once that takes longer than a moment. */
export function ProgressBar() {
  const { state } = useNavigation();
  return state === "loading" ? <div className="loading-bar" role="presentation" /> : null;
}
