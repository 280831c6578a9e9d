import type { SVGProps } from "react";
import type { IconName } from "#app/lib/icon-names.ts";
import sprite from "./icons.svg?url";

export type { IconName };

/** A drawing beside words: never the only name of a thing. A class may say another size. */
export function Icon({ name, className, ...rest }: { name: IconName } & SVGProps<SVGSVGElement>) {
  return (
    <svg aria-hidden="true" className={className ? `icon ${className}` : "icon"} {...rest}>
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
