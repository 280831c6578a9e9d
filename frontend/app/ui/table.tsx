import { type ReactNode, useId } from "react";

interface TableProps {
  /** What is in it; seen too, unless a heading says the same. */
  caption: string;
  captionHidden?: boolean;
  /** `thead`, `tbody` and `tfoot`; figures in cells of the class `figure`. */
  children: ReactNode;
  className?: string;
}

/** Rows and columns. Where they are wider than the screen they alone are moved, by key too. */
export function Table({ caption, captionHidden = false, children, className = "" }: TableProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
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
