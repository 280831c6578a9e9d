/** Looks of buttons, and of links that act as one. */
export const buttonStyle = {
  primary: "button button-primary",
  outline: "button button-outline",
  quiet: "button button-quiet",
} as const;
