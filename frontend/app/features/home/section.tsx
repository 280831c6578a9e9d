import { type ReactNode, Suspense, useId } from "react";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";

interface SectionProps {
  title: string;
  lead?: string;
  more?: { label: string; to: string };
  tone?: "plain" | "sunk";
  children: ReactNode;
}

export function Section({ title, lead, more, tone = "plain", children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={tone === "sunk" ? "bg-sunk" : undefined}>
      <div className="page-width py-14 lg:py-24">
        <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
          <div>
            <h2 id={id} className="text-title">
              {title}
            </h2>
            {lead ? <p className="mt-3 max-w-[52ch] text-lg text-muted">{lead}</p> : null}
          </div>
          {more ? (
            <Link
              to={more.to}
              className="text-link inline-flex items-center gap-2 py-2 font-medium"
            >
              {more.label}
              <Icon name="arrow" className="size-4.5" />
            </Link>
          ) : null}
        </div>
        <Suspense>{children}</Suspense>
      </div>
    </section>
  );
}
