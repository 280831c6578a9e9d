import type { ComponentProps, MouseEvent } from "react";

/** Class names for buttons, and for links that look like one. */
export const buttonStyle = {
  primary: "button button-primary",
  outline: "button button-outline",
  quiet: "button button-quiet",
} as const;

interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof buttonStyle;
  /** Its action is pending: the button keeps the focus, and ignores clicks until the action has ended. */
  busy?: boolean;
}

/** A button. A link that looks like one uses `buttonStyle` directly. */
export function Button({
  look = "primary",
  busy = false,
  type = "button",
  className = "",
  onClick,
  ...rest
}: ButtonProps) {
  const ignoreClick = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? ignoreClick : onClick}
      className={`${buttonStyle[look]} ${className}`}
      {...rest}
    />
  );
}
