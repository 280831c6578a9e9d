import type { ReactNode } from "react";

interface AlertNoticeProps {
  children: ReactNode;
  className?: string;
}

/** What keeps somebody from going on; nothing where there is no word of it. */
export function AlertNotice({ children, className = "" }: AlertNoticeProps) {
  if (!children) return null;
  return (
    <p role="alert" className={`notice ${className}`.trimEnd()}>
      {children}
    </p>
  );
}
