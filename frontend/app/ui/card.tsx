import type { ComponentProps } from "react";

interface CardProps extends ComponentProps<"div"> {
  as?: "section" | "div" | "aside" | "nav";
}

/** A sheet of its own on the page's ground. */
export function Card({ as: Element = "div", className = "", ...rest }: CardProps) {
  return <Element {...rest} className={`plain-card ${className}`} />;
}
