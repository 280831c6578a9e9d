import type { SVGProps } from "react";

/** Drawn on a 24 grid with a 1.6 stroke. */
export const PATHS = {
  arrow: "M5 12h14m-6-6 6 6-6 6",
  bath: "M4 12h16v2a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5v-2Zm2 0V6.5A2.5 2.5 0 0 1 8.5 4c1.2 0 2.1.8 2.4 1.9M8 19l-1 2m9-2 1 2",
  bed: "M3 19v-7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v7M3 16h18M5 10V7a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v3m-7 0V8",
  area: "M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5",
  camera: "M4 8h3l2-3h6l2 3h3v11H4V8Zm8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  check: "m5 12.5 4.5 4.5L19 7.5",
  chevron: "m6 9 6 6 6-6",
  close: "M6 6l12 12M18 6 6 18",
  filter: "M4 7h10m4 0h2M4 17h2m4 0h10M14 4.5v5m-8 5v5",
  mail: "M3.5 6h17v12h-17V6Zm0 1 8.5 6.5L20.5 7",
  menu: "M4 8h16M4 16h16",
  monitor: "M4 5h16v11H4V5Zm5 15h6m-3-4v4",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
  phone:
    "M6 3.5h3l1.5 4.5-2 1.5a12 12 0 0 0 6 6l1.5-2 4.5 1.5v3a2 2 0 0 1-2 2A15.5 15.5 0 0 1 4 5.5a2 2 0 0 1 2-2Z",
  pin: "M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21Zm0-9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  plot: "M3 18 9 6l4 7 2.5-3.5L21 18H3Z",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.8-1.7L20 20",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4",
  whatsapp:
    "M4 20l1.3-4A8 8 0 1 1 8.3 19L4 20Zm5-11.5c0 3.5 3 6.5 6.5 6.5l.8-1.8-2.2-1.2-1 1c-1.2-.5-2.1-1.4-2.6-2.6l1-1L10.3 7.2 9 8.5Z",
} as const;

export type IconName = keyof typeof PATHS;

interface DrawingProps extends SVGProps<SVGSVGElement> {
  /** Of the same hand as the set above. */
  path: string;
}

/** A drawing that one feature alone needs, and brings itself. */
export function Drawing({ path, className = "size-5", ...rest }: DrawingProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
      {...rest}
    >
      <path d={path} />
    </svg>
  );
}

/** A drawing beside words: never the only name of a thing. */
export function Icon({ name, ...rest }: { name: IconName } & SVGProps<SVGSVGElement>) {
  return <Drawing {...rest} path={PATHS[name]} />;
}
