import { useEffect, useEffectEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useMyHome } from "#app/lib/my-homes/use-my-homes.ts";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { LastLook } from "./last-look.tsx";
import { myHomesMessages } from "./messages.ts";
import type { ToolsProps } from "./tools.tsx";
import { useChangeHome } from "./use-change-home.ts";

/** The tools on a property page: favourite, compare, hide, and what has changed. Records the visit. */
export function PageTools({ reference, now }: Omit<ToolsProps, "on">) {
  const t = useMessages(myHomesMessages);
  const home = useMyHome(reference);
  const change = useChangeHome(reference);
  const recordVisit = useEffectEvent(() => change({ seen: true }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another home is another visit
  useEffect(() => void recordVisit(), [reference]);
  const tools = [
    ["favourite", "heart", t.favouriteShort],
    ["compared", "compare", t.compareShort],
    ["hidden", "eye-off", t.hideShort],
  ] as const satisfies readonly (readonly [string, IconName, string])[];
  return (
    <>
      {tools.map(([name, icon, label]) => (
        <button
          key={name}
          type="button"
          aria-pressed={home?.[name] ?? false}
          title={label}
          className="page-tool"
          onClick={() => change({ [name]: !home?.[name] })}
        >
          <Icon
            name={icon}
            className={name === "favourite" && home?.favourite ? "fill-clay text-clay" : undefined}
          />
          <span className="max-sm:sr-only">{label}</span>
        </button>
      ))}
      {now ? <LastLook reference={reference} now={now} /> : null}
    </>
  );
}
