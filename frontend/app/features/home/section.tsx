import { type ReactNode, useId } from "react";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";

interface SectionProps {
  title: string;
  link?: { label: string; to: string };
  tone?: "plain" | "sunk";
  /** Whether the section before it has the same background, so that no top padding is needed. */
  flush?: boolean;
  children: ReactNode;
}

export function Section({ title, link, tone = "plain", flush = false, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={tone === "sunk" ? "bg-sunk" : undefined}>
      <div className={`page-width pb-14 lg:pb-20 ${flush ? "" : "pt-14 lg:pt-20"}`}>
        <div className="mb-7 flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
          <h2 id={id} className="text-title">
            {title}
          </h2>
          {link ? (
            <Link to={link.to} className="text-link icon-link">
              {link.label}
              <Icon name="arrow" className="size-4.5" />
            </Link>
          ) : null}
        </div>
        <Boundary>{children}</Boundary>
      </div>
    </section>
  );
}
