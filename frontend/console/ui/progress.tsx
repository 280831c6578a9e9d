import { useId } from "react";

interface ProgressProps {
  label: string;
  /** Between 0 and 1; nothing where it is not known how far it is. */
  share: number | undefined;
  /** The same in words. */
  children: React.ReactNode;
}

/** How far something has come. */
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
