/** Where a trace is seen: `template` names it by `{traceId}`. Nothing where no viewer is known. */
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
