/** Returns the address of a trace: `template` with `{traceId}` replaced. Undefined without a viewer. */
export function traceAddress(
  template: string | null | undefined,
  traceId: string | null | undefined,
): string | undefined {
  if (!template || !traceId) return undefined;
  const address = template.replaceAll("{traceId}", encodeURIComponent(traceId));
  try {
    const { protocol } = new URL(address);
    return protocol === "https:" || protocol === "http:" ? address : undefined;
  } catch {
    return undefined;
  }
}
