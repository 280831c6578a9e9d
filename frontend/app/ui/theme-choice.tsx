import { useSyncExternalStore } from "react";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { useForcedTheme } from "#app/lib/theme/forced-theme.ts";
import {
  chooseTheme,
  onThemeChange,
  storedTheme,
  THEMES,
  type Theme,
} from "#app/lib/theme/theme.ts";
import { Icon, type IconName } from "./icon.tsx";

const messages = defineMessages({
  en: {
    theme: "Colours",
    light: "Light",
    dark: "Dark",
    system: "Automatic",
    ownTheme: "This page has its own colours",
  },
  es: {
    theme: "Colores",
    light: "Claro",
    dark: "Oscuro",
    system: "Como el dispositivo",
    ownTheme: "Esta página tiene colores propios",
  },
});

const ICONS: Record<Theme, IconName> = { light: "sun", dark: "moon", system: "monitor" };

/**
 * Selects the colour theme: light, dark, or as the device. Hidden without a script, where only the device
 * decides, so the document has only the space of its buttons. Disabled, with an explanation, on a page that
 * forces its own colours.
 */
export function ThemeChoice() {
  const t = useMessages(messages);
  const chosen = useSyncExternalStore(onThemeChange, storedTheme, () => "system");
  const isHydrated = useHydrated();
  const forced = useForcedTheme() !== undefined;
  return (
    <fieldset disabled={forced} title={forced ? t.ownTheme : undefined} className="theme-choice">
      <legend className="sr-only">{forced ? t.ownTheme : t.theme}</legend>
      {isHydrated
        ? THEMES.map((theme) => (
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
          ))
        : null}
    </fieldset>
  );
}
