import type { TeamMember } from "#app/lib/api/types.ts";
import { initials } from "#app/ui/initials.ts";
import { Picture } from "#app/ui/picture.tsx";

/** Somebody behind an arch; their initials, where there is no photograph. */
export function Face({ member: { name, photo } }: { member: TeamMember }) {
  return (
    <span className="arch flex h-28 w-21 shrink-0 items-end justify-center bg-sunk sm:h-32 sm:w-24">
      {photo ? (
        <Picture picture={photo} alt="" sizes="6rem" className="size-full object-cover" />
      ) : (
        <span aria-hidden="true" className="pb-7 font-display text-3xl text-muted">
          {initials(name)}
        </span>
      )}
    </span>
  );
}
