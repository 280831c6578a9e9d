import { onStored, publish, read } from "#app/lib/browser/stored.ts";

/** The colour modes that a visitor chooses from. */
export const THEMES = ["light", "dark", "system"] as const;

export type Theme = (typeof THEMES)[number];

/** The colours that something is shown in. */
type Colours = Exclude<Theme, "system">;

const STORAGE_KEY = "theme";
const BAR_COLOUR = { light: "white", dark: "#111827" } as const;

/**
 * Runs in the head before anything is drawn, and leaves a page that forces its colours as it came. It is
 * one fixed text, so the policy's hash of it stays the same.
 */
export const THEME_SCRIPT = `(function(){try{if(document.documentElement.dataset.forcedTheme)return;var t=localStorage.getItem("${STORAGE_KEY}");if(t!=="light"&&t!=="dark")return;document.documentElement.dataset.theme=t;var m=document.createElement("meta");m.name="theme-color";m.id="forced-theme-color";m.content=t==="dark"?"${BAR_COLOUR.dark}":"${BAR_COLOUR.light}";document.head.prepend(m)}catch(e){}})()`;

const themeOf = (stored: string | null) => THEMES.find((theme) => theme === stored) ?? "system";

/** What the visitor has chosen on this device. */
export function storedTheme(): Theme {
  return themeOf(read(STORAGE_KEY));
}

/** Keeps the choice of a theme, which `onThemeChange` shows in each tab. */
export function chooseTheme(theme: Theme): void {
  publish(STORAGE_KEY, theme);
}

/** Shows a theme without keeping it. */
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

/** Calls back when the choice changes, here or in another tab, whose choice is shown here at once. */
export function onThemeChange(callback: () => void): () => void {
  return onStored(STORAGE_KEY, (stored) => {
    if (!document.documentElement.dataset.forcedTheme) showTheme(themeOf(stored));
    callback();
  });
}

/** The browser bar's colours, for a device in either: the page's own where it forces them. */
export function systemBar(forced?: Colours) {
  return (["light", "dark"] as const).map((device) => ({
    media: `(prefers-color-scheme: ${device})`,
    content: BAR_COLOUR[forced ?? device],
  }));
}

/** What the innermost route with a word on it says: `export const handle = { colorMode: "dark" }`. */
export function requestedTheme(handles: readonly unknown[]): unknown {
  return handles
    .map((handle) => (handle as { colorMode?: unknown } | null | undefined)?.colorMode)
    .filter((mode) => mode !== undefined)
    .pop();
}

/** The colours that a page forces, where it asks for any that can be: the device's own are none. */
export function forcedTheme(requested: unknown): Colours | undefined {
  return requested === "light" || requested === "dark" ? requested : undefined;
}

/** What whoever wrote the page is told where it asks for others. */
export function forcedThemeWarning(requested: unknown): string | undefined {
  if (requested === undefined || forcedTheme(requested)) return undefined;
  return `A page can force the colour mode "light" or "dark", not "${requested}".`;
}
