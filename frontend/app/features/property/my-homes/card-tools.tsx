import { useFocusHandover } from "#app/lib/browser/use-focus-handover.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useMyHome } from "#app/lib/my-homes/use-my-homes.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Heart } from "./heart.tsx";
import { useChangeText } from "./last-look.tsx";
import { myHomesMessages } from "./messages.ts";
import type { ToolsProps } from "./tools.tsx";
import { useChangeHome } from "./use-change-home.ts";

/** The tools on a card: favourite, hide, and whether the home was seen, has changed since, or is hidden. */
export function CardTools({ reference, path, now }: Omit<ToolsProps, "on">) {
  const t = useMessages(myHomesMessages);
  const home = useMyHome(reference);
  const change = useChangeHome(reference);
  const heir = useFocusHandover();
  if (home?.hidden) {
    return (
      <div className="card-hidden">
        <p>{t.hidden}</p>
        <Button ref={heir} look="outline" onClick={() => change({ hidden: false })}>
          {t.undo} <span className="sr-only">{reference}</span>
        </Button>
      </div>
    );
  }
  return (
    <>
      <div className="card-tools print:hidden">
        <button
          ref={heir}
          type="button"
          aria-label={t.hide(reference)}
          title={t.hideShort}
          className="card-tool"
          onClick={() => change({ hidden: true })}
        >
          <Icon name="eye-off" />
        </button>
        <Heart reference={reference} path={path} />
      </div>
      {home?.seenAt ? <Seen reference={reference} now={now} /> : null}
    </>
  );
}

function Seen({ reference, now }: Omit<ToolsProps, "on">) {
  const t = useMessages(myHomesMessages);
  const change = useChangeText(reference, now);
  return change ? (
    <p className="card-seen badge print:hidden bg-sun text-on-sun">{change}</p>
  ) : (
    <p className="card-seen badge print:hidden bg-surface text-ink">{t.seen}</p>
  );
}
