import { Icon } from "./icon.tsx";

/** Closes the panel (a popover) with the id `panel`; the browser does it, without a script too. */
export function ClosePanel({ panel, label }: { panel: string; label: string }) {
  return (
    <button
      type="button"
      popoverTarget={panel}
      popoverTargetAction="hide"
      className="-mr-3 inline-flex narrow:-mr-1 size-11 shrink-0 items-center justify-center rounded-full hover:bg-sunk"
    >
      <Icon name="close" />
      <span className="sr-only">{label}</span>
    </button>
  );
}
