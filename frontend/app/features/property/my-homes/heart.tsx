import { useMessages } from "#app/lib/i18n/messages.ts";
import { useMyHome } from "#app/lib/my-homes/use-my-homes.ts";
import { Icon } from "#app/ui/icon.tsx";
import { myHomesMessages } from "./messages.ts";
import type { ToolsProps } from "./tools.tsx";
import { useChangeHome } from "./use-change-home.ts";

/** A button that adds a home to the favourites or removes it. */
export function Heart({ reference, path }: Pick<ToolsProps, "reference" | "path">) {
  const t = useMessages(myHomesMessages);
  const home = useMyHome(reference);
  const change = useChangeHome(reference, path);
  return (
    <button
      type="button"
      aria-pressed={home?.favourite ?? false}
      aria-label={t.favourite(reference)}
      title={t.favouriteShort}
      className="card-tool"
      onClick={() => change({ favourite: !home?.favourite })}
    >
      <Icon name="heart" />
    </button>
  );
}
