import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { RoleState } from "#console/lib/api/types.ts";
import { asLines } from "#console/lib/format/value.ts";
import { Part } from "#console/ui/page.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { flowMessages } from "./messages.ts";

/** The maximum number of detail lines shown for a role. */
const MAX_LINES = 40;

/** The running roles, those that are not ready first. */
export function Roles({ roles }: { roles: readonly RoleState[] }) {
  const t = useMessages(flowMessages);
  const first = (role: RoleState) => (role.ready && role.reachable ? 1 : 0);
  return (
    <Part title={t.roles} lead={t.rolesLead}>
      {roles.length === 0 ? <p className="text-muted">{t.noRoles}</p> : null}
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {roles
          .toSorted((a, b) => first(a) - first(b))
          .map((role) => (
            <li key={`${role.role} ${role.instance}`}>
              <Role role={role} />
            </li>
          ))}
      </ul>
    </Part>
  );
}

function Role({
  role: { role, instance, reachable, ready, failing, details },
}: {
  role: RoleState;
}) {
  const t = useMessages(flowMessages);
  const checks = Object.entries(failing);
  const lines = asLines(details, MAX_LINES);
  return (
    <Card className="h-full p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5">
        <div className="min-w-0">
          <h3 className="font-sans text-lg font-semibold">{role}</h3>
          <p className="text-sm text-muted wrap-anywhere">{instance}</p>
        </div>
        <State tone={!reachable || !ready ? "wrong" : "well"}>
          {reachable ? (ready ? t.ready : t.notReadyYet) : t.unreachable}
        </State>
      </div>
      {checks.length > 0 ? (
        <ul className="mt-3 grid gap-1.5">
          {checks.map(([check, reason]) => (
            <li key={check} className="flex gap-2">
              <Icon name="alert" className="mt-0.5 size-5 text-clay" />
              <span className="min-w-0 wrap-anywhere">
                <ServiceText>
                  <b className="font-semibold">{check}</b>: {reason}
                </ServiceText>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-3 text-sm text-muted">{reachable ? t.nothingFails : t.noReason}</p>
      )}
      {lines.length > 0 ? (
        <details className="group mt-2">
          <summary className="inline-flex min-h-11 items-center gap-1.5 text-sm font-medium">
            <Icon name="chevron" className="size-4 text-muted group-open:rotate-180" />
            {t.details}
          </summary>
          <dl lang="en" className="grid gap-1 text-sm">
            {lines.map(([name, value]) => (
              <div key={name} className="flex flex-wrap justify-between gap-x-4">
                <dt className="text-muted">{name}</dt>
                <dd className="wrap-anywhere tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </Card>
  );
}
