import type { ReactNode } from "react";

interface AlertNoticeProps {
  children: ReactNode;
  className?: string;
}

/** Shows a problem that stops the visitor from continuing; renders nothing without children. */
export function AlertNotice({ children, className = "" }: AlertNoticeProps) {
  if (!children) return null;
  return (
    <p role="alert" className={`notice ${className}`.trimEnd()}>
      {children}
    </p>
  );
}
