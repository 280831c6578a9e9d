/**
 * The names of the icons in `app/ui/icons.svg`: one consistent set, on a grid of 24, with a stroke width of
 * 1.6.
 */
export const ICONS = [
  "alert",
  "area",
  "arrow",
  "back",
  "bath",
  "bed",
  "bell",
  "book",
  "broken",
  "building",
  "camera",
  "car",
  "check",
  "chevron",
  "clock",
  "close",
  "compare",
  "copy",
  "eye",
  "eye-off",
  "filter",
  "flag-en",
  "flag-es",
  "forward",
  "heart",
  "house",
  "key",
  "leaf",
  "lock",
  "mail",
  "menu",
  "minus",
  "monitor",
  "moon",
  "news",
  "phone",
  "pin",
  "plot",
  "plus",
  "print",
  "scale",
  "search",
  "share",
  "shop",
  "sofa",
  "sun",
  "tag",
  "thermometer",
  "users",
  "waves",
  "whatsapp",
] as const;

export type IconName = (typeof ICONS)[number];

/** Returns whether there is an icon of this name: editors may enter any name. */
export function isIconName(name: string | null | undefined): name is IconName {
  return (ICONS as readonly (string | null | undefined)[]).includes(name);
}
