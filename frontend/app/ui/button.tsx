import type { ComponentProps, MouseEvent } from "react";

/** Looks of buttons, and of links that act as one. */
export const buttonStyle = {
  primary: "button button-primary",
  outline: "button button-outline",
  quiet: "button button-quiet",
} as const;

interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof buttonStyle;
  /** What it started is under way: it keeps the focus, and does nothing more until that has ended. */
  busy?: boolean;
}

/** What is pressed. A link that looks like it takes `buttonStyle` alone. */
export function Button({
  look = "primary",
  busy = false,
  type = "button",
  className = "",
  onClick,
  ...rest
}: ButtonProps) {
  const nothing = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? nothing : onClick}
      className={`${buttonStyle[look]} ${className}`}
      {...rest}
    />
  );
}
