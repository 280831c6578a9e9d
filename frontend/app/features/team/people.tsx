import type { TeamMember } from "#app/lib/api/types.ts";
import { Face } from "./face.tsx";

/** Lists the team by name and role; the team page has more. */
export function People({ members }: { members: readonly TeamMember[] }) {
  return (
    <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {members.map((member) => (
        <li key={member.id} className="flex items-center gap-4">
          <Face member={member} className="h-24 w-18 bg-surface text-2xl" />
          <span className="min-w-0">
            <span className="block font-display text-lg leading-tight">{member.name}</span>
            <span className="mt-1 block text-sm text-muted">{member.role}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
