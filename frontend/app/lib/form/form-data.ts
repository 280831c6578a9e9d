/** Returns what was typed in the field `name` of a form, trimmed. */
export function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}

/**
 * Returns the entry of `intents` for the button of the form that was pressed (`intent`), or undefined if there
 * is none, as for a form of another build.
 */
export function intentIn<Intent>(
  form: FormData,
  intents: Readonly<Record<string, Intent>>,
): Intent | undefined {
  const name = textIn(form, "intent");
  return Object.hasOwn(intents, name) ? intents[name] : undefined;
}

/** Returns what was typed in each field, for a page that shows the form again. */
export function valuesOf(form: FormData): Record<string, string> {
  return Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
}
