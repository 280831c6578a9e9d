import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** A list of named facts, in as many columns as fit. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
