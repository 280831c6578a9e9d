import type { ReactNode } from "react";

interface SampleProps {
  name: string;
  children: ReactNode;
}

/** An entry of the component catalogue: its name, and its look on the page background. */
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
