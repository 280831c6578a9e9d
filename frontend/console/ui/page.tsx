import type { ReactNode } from "react";
import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";

const messages = defineMessages({
  en: { console: "Almijara console" },
  es: { console: "Consola de Almijara" },
});

interface PageProps {
  title: string;
  /** What the page shows, in a sentence. */
  lead?: ReactNode;
  children: ReactNode;
}

/** A page of the console. Its heading takes the focus after navigation (`useFocusOnPage`). */
export function Page({ title, lead, children }: PageProps) {
  const t = useMessages(messages);
  return (
    <>
      <title>{`${title} · ${t.console}`}</title>
      <h1 tabIndex={-1} className="text-heading outline-none">
        {title}
      </h1>
      {lead ? <p className="mt-2 max-w-prose text-muted">{lead}</p> : null}
      {children}
    </>
  );
}

interface PartProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A part of a page, with a heading of its own. */
export function Part({ title, lead, children }: PartProps) {
  return (
    <section className="mt-10">
      <h2 className="text-2xl">{title}</h2>
      {lead ? <p className="mt-1.5 max-w-prose text-muted">{lead}</p> : null}
      <div className="mt-4">{children}</div>
    </section>
  );
}
