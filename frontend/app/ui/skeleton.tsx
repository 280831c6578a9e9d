/** A stand-in for a line or picture that is still loading; `className` sets its size. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={`rounded bg-sunk ${className}`} />;
}
