type Value = string | number | boolean | readonly (string | number)[] | null | undefined;

/**
 * Returns the address of an API call. Parameters are sorted, repeated for lists, and omitted if they have no
 * value, so that each query has exactly one address.
 */
export function apiAddress(
  template: string,
  path: Record<string, string> = {},
  query: Record<string, Value> = {},
): string {
  const pathname = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] ?? "";
    // `{slugPath}` is a path with slashes.
    return name.endsWith("Path")
      ? value.split("/").map(encodeURIComponent).join("/")
      : encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const name of Object.keys(query).sort()) {
    const value = query[name];
    if (value === undefined || value === null) continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  return search.size > 0 ? `${pathname}?${search}` : pathname;
}
