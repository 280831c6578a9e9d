import { onStored, publish, read } from "#app/lib/browser/stored.ts";

/** The colour modes that a visitor can choose. */
export const THEMES = ["light", "dark", "system"] as const;

export type Theme = (typeof THEMES)[number];

/** The colour modes that can actually be displayed. */
type Colours = Exclude<Theme, "system">;

const STORAGE_KEY = "theme";
const BAR_COLOUR = { light: "white", dark: "#111827" } as const;

/**
 * Runs in the head before the first paint, and leaves a page that forces its theme unchanged. It is a fixed
 * text, so that its hash in the content security policy stays the same.
 */
export const THEME_SCRIPT = `(function(){try{if(document.documentElement.dataset.forcedTheme)return;var t=localStorage.getItem("${STORAGE_KEY}");if(t!=="light"&&t!=="dark")return;document.documentElement.dataset.theme=t;var m=document.createElement("meta");m.name="theme-color";m.id="forced-theme-color";m.content=t==="dark"?"${BAR_COLOUR.dark}":"${BAR_COLOUR.light}";document.head.prepend(m)}catch(e){}})()`;

const themeOf = (stored: string | null) => THEMES.find((theme) => theme === stored) ?? "system";

/** Returns the visitor's choice on this device. */
export function storedTheme(): Theme {
  return themeOf(read(STORAGE_KEY));
}

/** Stores the choice of a theme, which `onThemeChange` applies in each tab. */
export function chooseTheme(theme: Theme): void {
  publish(STORAGE_KEY, theme);
}

/** Applies a theme without storing it. */
export function showTheme(theme: Theme): void {
  document.querySelector("#forced-theme-color")?.remove();
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
    const bar = document.createElement("meta");
    bar.name = "theme-color";
    bar.id = "forced-theme-color";
    bar.content = BAR_COLOUR[theme];
    document.head.prepend(bar);
  }
}

/** Calls back when the choice changes, here or in another tab, and applies it at once. */
export function onThemeChange(callback: () => void): () => void {
  return onStored(STORAGE_KEY, (stored) => {
    if (!document.documentElement.dataset.forcedTheme) showTheme(themeOf(stored));
    callback();
  });
}

/**
 * Returns the colours of the browser's bar for devices in light and in dark mode; the page's own if it forces
 * a theme.
 */
export function systemBar(forced?: Colours) {
  return (["light", "dark"] as const).map((device) => ({
    media: `(prefers-color-scheme: ${device})`,
    content: BAR_COLOUR[forced ?? device],
  }));
}

/** Returns the mode that the innermost route with one requests: `export const handle = { colorMode: "dark" }`. */
export function requestedTheme(handles: readonly unknown[]): unknown {
  return handles
    .map((handle) => (handle as { colorMode?: unknown } | null | undefined)?.colorMode)
    .filter((mode) => mode !== undefined)
    .pop();
}

/** Returns the theme that a page forces, if the requested one is valid: "system" can't be forced. */
export function forcedTheme(requested: unknown): Colours | undefined {
  return requested === "light" || requested === "dark" ? requested : undefined;
}

/** Returns a warning for the page's author if the requested mode is invalid. */
export function forcedThemeWarning(requested: unknown): string | undefined {
  if (requested === undefined || forcedTheme(requested)) return undefined;
  return `A page can force the colour mode "light" or "dark", not "${requested}".`;
}
