import type { SVGProps } from "react";
import sprite from "./icons.svg?url";

/** The symbols of `icons.svg`: one hand's drawings, on a grid of 24, in lines of 1.6. */
export const ICONS = [
  "alert",
  "area",
  "arrow",
  "back",
  "bath",
  "bed",
  "bell",
  "broken",
  "building",
  "camera",
  "car",
  "check",
  "chevron",
  "clock",
  "close",
  "compare",
  "copy",
  "eye",
  "eye-off",
  "filter",
  "flag-en",
  "flag-es",
  "forward",
  "heart",
  "house",
  "key",
  "leaf",
  "mail",
  "menu",
  "minus",
  "monitor",
  "moon",
  "phone",
  "pin",
  "plot",
  "plus",
  "print",
  "search",
  "share",
  "sofa",
  "sun",
  "tag",
  "thermometer",
  "waves",
  "whatsapp",
] as const;

export type IconName = (typeof ICONS)[number];

/** A drawing beside words: never the only name of a thing. A class may say another size. */
export function Icon({ name, className, ...rest }: { name: IconName } & SVGProps<SVGSVGElement>) {
  return (
    <svg aria-hidden="true" className={className ? `icon ${className}` : "icon"} {...rest}>
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
