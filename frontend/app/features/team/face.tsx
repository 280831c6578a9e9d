import type { TeamMember } from "#app/lib/api/types.ts";
import { initials } from "#app/ui/initials.ts";
import { Picture } from "#app/ui/picture.tsx";

interface FaceProps {
  member: Pick<TeamMember, "name" | "photo">;
  /** The classes for the arch's size and background. */
  className: string;
}

/** A team member's photo in an arch, or their initials if there is no photo. */
export function Face({ member: { name, photo }, className }: FaceProps) {
  return (
    <span className={`arch flex shrink-0 items-end justify-center ${className}`}>
      {photo ? (
        <Picture picture={photo} alt="" sizes="6rem" className="size-full object-cover" />
      ) : (
        <span aria-hidden="true" className="pb-[0.9em] font-display text-muted">
          {initials(name)}
        </span>
      )}
    </span>
  );
}
