/** A line or a picture to come; `className` says how large. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={`rounded bg-sunk ${className}`} />;
}
