const base =
  "inline-flex items-center justify-center gap-2 rounded-full px-5 py-2.5 text-center font-medium leading-tight text-balance transition-colors duration-150 min-h-11";

/** Looks of buttons, and of links that act as one. */
export const buttonStyle = {
  primary: `${base} bg-sun text-on-sun hover:bg-sun-strong`,
  outline: `${base} border border-line-strong text-ink hover:border-ink hover:bg-sunk`,
  quiet: `${base} text-ink hover:bg-sunk`,
} as const;
