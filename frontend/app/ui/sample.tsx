import type { ReactNode } from "react";

interface SampleProps {
  name: string;
  children: ReactNode;
}

/** A part of the catalogue: its name, and what it looks like on the page's ground. */
export function Sample({ name, children }: SampleProps) {
  return (
    <div data-sample={name} className="border-t border-line py-6">
      <p className="font-display text-lg">{name}</p>
      <div className="mt-4 flex flex-wrap items-center gap-4">{children}</div>
    </div>
  );
}

export function SampleGroup({ name, children }: SampleProps) {
  return (
    <section className="mt-12">
      <h2 className="text-heading">{name}</h2>
      <div className="mt-4">{children}</div>
    </section>
  );
}
