import { useSyncExternalStore } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { shellMessages } from "./messages.ts";
import { chooseTheme, onThemeChange, storedTheme, THEMES, type Theme } from "./theme.ts";

const ICONS: Record<Theme, IconName> = { light: "sun", dark: "moon", system: "monitor" };

/** Light, dark, or as the device. Without a script the device alone decides, so it is not shown. */
export function ThemeChoice() {
  const t = useMessages(shellMessages);
  const chosen = useSyncExternalStore(onThemeChange, storedTheme, () => "system");
  return (
    <fieldset className="flex items-center rounded-full border border-line p-1 no-script:hidden">
      <legend className="sr-only">{t.theme}</legend>
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          aria-pressed={theme === chosen}
          title={t[theme]}
          onClick={() => chooseTheme(theme)}
          className="theme-button"
        >
          <Icon name={ICONS[theme]} className="size-4.5" />
          <span className="sr-only">{t[theme]}</span>
        </button>
      ))}
    </fieldset>
  );
}
