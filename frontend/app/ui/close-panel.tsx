import { Icon } from "./icon.tsx";

/** Closes the panel (a popover) with the id `panel`. The browser does it, so it works without a script too. */
export function ClosePanel({ panel, label }: { panel: string; label: string }) {
  return (
    <button type="button" popoverTarget={panel} popoverTargetAction="hide" className="close-panel">
      <Icon name="close" />
      <span className="sr-only">{label}</span>
    </button>
  );
}
