import { defineMessages, useMessages } from "#app/lib/i18n/messages.ts";
import { Skeleton } from "#app/ui/skeleton.tsx";

const messages = defineMessages({
  en: { loading: "Loading homes" },
  es: { loading: "Las viviendas están en camino" },
});

export interface WaitingCardsProps {
  count: number;
  className: string;
}

const LINES = ["h-6 w-1/3", "h-5 w-5/6", "h-4 w-1/2", "h-4 w-2/3"];

/** Placeholder cards: as many as the list had, so that nothing below them moves. */
export function WaitingCards({ count, className }: WaitingCardsProps) {
  const t = useMessages(messages);
  return (
    <>
      <p role="status" className="sr-only">
        {t.loading}
      </p>
      <ul aria-hidden="true" className={className}>
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all are identical
          <li key={index} className="plain-card p-2">
            <div className="plaster aspect-4/3 rounded-within" />
            <div className="flex flex-col gap-3 px-2.5 pt-5 pb-3">
              {LINES.map((size) => (
                <Skeleton key={size} className={size} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
