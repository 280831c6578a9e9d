/** What was typed in the field `name` of a form, without the spaces around it. */
export function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}

/** What was typed in each field, for a page that shows the form once more. */
export function valuesOf(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
}
