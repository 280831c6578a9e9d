import type { SVGProps } from "react";
import type { IconName } from "#app/lib/icon-names.ts";
import sprite from "./icons.svg?url";

export type { IconName };

/** A decorative icon: the text beside it must name the thing. A class name may set another size. */
export function Icon({ name, className, ...rest }: { name: IconName } & SVGProps<SVGSVGElement>) {
  return (
    <svg aria-hidden="true" className={className ? `icon ${className}` : "icon"} {...rest}>
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
