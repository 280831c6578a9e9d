/**
 * A place's name where it stands alone. Editors write it as it stands within a sentence, where some
 * begin with an article: homes in the Axarquía.
 */
export function placeLabel(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
