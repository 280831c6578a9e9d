/**
 * Capitalizes a place's name for use on its own. Editors write names for use within a sentence, where some
 * begin with an article: homes in the Axarquía.
 */
export function placeLabel(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
