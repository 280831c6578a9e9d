import { useId } from "react";

interface ProgressProps {
  label: string;
  /** From 0 to 1; undefined if the progress is unknown. */
  share: number | undefined;
  /** The same in words. */
  children: React.ReactNode;
}

/** A labelled progress bar. */
export function Progress({ label, share, children }: ProgressProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <p id={id} className="font-medium">
        {label}
      </p>
      <progress aria-labelledby={id} className="progress" max={1} value={share} />
      <p className="text-sm text-muted tabular-nums">{children}</p>
    </div>
  );
}
