import { useSyncExternalStore } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { useForcedTheme } from "./forced-theme.ts";
import { shellMessages } from "./messages.ts";
import { chooseTheme, onThemeChange, storedTheme, THEMES, type Theme } from "./theme.ts";

const ICONS: Record<Theme, IconName> = { light: "sun", dark: "moon", system: "monitor" };

/**
 * Light, dark, or as the device. Without a script the device alone decides, so it is not shown; a page
 * with colours of its own says so.
 */
export function ThemeChoice() {
  const t = useMessages(shellMessages);
  const chosen = useSyncExternalStore(onThemeChange, storedTheme, () => "system");
  const forced = useForcedTheme() !== undefined;
  return (
    <fieldset disabled={forced} title={forced ? t.ownTheme : undefined} className="theme-choice">
      <legend className="sr-only">{forced ? t.ownTheme : t.theme}</legend>
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          aria-pressed={theme === chosen}
          title={forced ? undefined : t[theme]}
          onClick={() => chooseTheme(theme)}
          className="theme-button"
        >
          <Icon name={ICONS[theme]} />
          <span className="sr-only">{t[theme]}</span>
        </button>
      ))}
    </fieldset>
  );
}
