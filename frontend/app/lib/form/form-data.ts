/** Returns what was typed in the field `name` of a form, trimmed. */
export function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}

/** Returns what was typed in each field, for a page that shows the form again. */
export function valuesOf(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
}
