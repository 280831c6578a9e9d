import type { TeamMember } from "#app/lib/api/types.ts";
import { telephoneHref } from "#app/lib/format/format.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { EmailText } from "#app/ui/email-text.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Face } from "./face.tsx";
import { teamMessages } from "./messages.ts";

/** The team section: photo, role, biography and contact of each member. */
export function TeamSection({ members }: { members: readonly TeamMember[] }) {
  const t = useMessages(teamMessages);
  if (members.length === 0) return null;
  return (
    <section aria-labelledby="team" className="border-t border-line">
      <div className="page-width py-14 lg:py-20">
        <h2 id="team" className="text-heading">
          {t.title}
        </h2>
        <ul className="mt-10 grid gap-x-8 gap-y-12 lg:grid-cols-2 xl:grid-cols-3">
          {members.map((member) => (
            <li key={member.id}>
              <Member member={member} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Member({ member }: { member: TeamMember }) {
  const t = useMessages(teamMessages);
  const { name, role, bio, phone, email } = member;
  return (
    <div className="flex gap-4 sm:gap-5">
      <Face member={member} className="h-28 w-21 bg-sunk text-3xl sm:h-32 sm:w-24" />
      <div className="min-w-0">
        <h3 className="text-xl">{name}</h3>
        <p className="mt-0.5 text-sm font-medium text-muted">{role}</p>
        <p className="mt-3 text-wrap">{bio}</p>
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {phone ? (
            <a
              href={telephoneHref(phone)}
              aria-label={`${t.call(name)}: ${phone}`}
              className="text-link inline-flex items-center gap-1.5 py-1"
            >
              <Icon name="phone" className="size-4" />
              {phone}
            </a>
          ) : null}
          {email ? (
            <a
              href={`mailto:${email}`}
              aria-label={`${t.write(name)}: ${email}`}
              className="text-link inline-flex items-start gap-1.5 py-1 wrap-anywhere"
            >
              <Icon name="mail" className="mt-0.5 size-4" />
              <span>
                <EmailText address={email} />
              </span>
            </a>
          ) : null}
        </p>
      </div>
    </div>
  );
}
