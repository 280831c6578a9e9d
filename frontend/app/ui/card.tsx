import type { ComponentProps } from "react";

interface CardProps extends ComponentProps<"div"> {
  as?: "section" | "div" | "aside" | "nav";
}

/** A panel with its own surface on the page background. */
export function Card({ as: Element = "div", className = "", ...rest }: CardProps) {
  return <Element {...rest} className={`plain-card ${className}`} />;
}
