import { type ReactNode, useId } from "react";

interface TableProps {
  /** The table's title; visible unless `captionHidden`, for where a heading says the same. */
  caption: string;
  captionHidden?: boolean;
  /** `thead`, `tbody` and `tfoot`; numbers in cells of the class `figure`. */
  children: ReactNode;
  className?: string;
}

/** A table. If it is wider than the screen, it scrolls within its own frame, by keyboard too. */
export function Table({ caption, captionHidden = false, children, className = "" }: TableProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section aria-labelledby={id} tabIndex={0} className={`table-frame ${className}`}>
      <table className="data-table">
        <caption id={id} className={captionHidden ? "sr-only" : undefined}>
          {caption}
        </caption>
        {children}
      </table>
    </section>
  );
}
