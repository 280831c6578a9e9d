import { useQuery } from "@tanstack/react-query";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { appliedQuery, indexedQuery, purgedQuery } from "#console/lib/api/queries.ts";
import type { Publish, Reached, ReachedStep } from "#console/lib/api/types.ts";
import { formatDuration } from "#console/lib/format/duration.ts";
import { formatPosition } from "#console/lib/format/position.ts";
import { type Column, DataTable } from "#console/ui/data-table.tsx";
import { Missing } from "#console/ui/merged-state.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { TraceLink } from "#console/ui/trace-link.tsx";
import { publishMessages } from "./messages.ts";
import { type PublishStepName, shares, stepsOf } from "./steps.ts";

interface PublishListProps {
  items: readonly Publish[];
  empty: string;
}

/** A table of publishes: item, time, duration of each step, and trace. */
export function PublishList({ items, empty }: PublishListProps) {
  const t = useMessages(publishMessages);
  const { reached, missing } = useReached(items);
  const columns: Column<Publish>[] = [
    { head: t.item, kind: "title", cell: (publish) => <Item publish={publish} /> },
    { head: t.recorded, cell: (publish) => <Captured publish={publish} /> },
    {
      head: t.steps,
      kind: "wide",
      cell: (publish) => <StepTimes publish={publish} reached={reached(publish.sequence)} />,
    },
    {
      head: t.trace,
      cell: ({ traceId, collection, key }) => (
        <TraceLink id={traceId} of={`${collection} ${key}`} />
      ),
    },
  ];
  return (
    <>
      <Missing processes={missing} />
      <DataTable
        caption={t.list}
        rows={items}
        keyOf={({ id }) => String(id)}
        columns={columns}
        empty={empty}
      />
    </>
  );
}

type ReachedTimes = Partial<Record<ReachedStep, string>>;

/**
 * Returns when each step had processed a position of the log, and which processes did not say so. Unknown
 * times are left out of the rows.
 */
function useReached(items: readonly Publish[]) {
  const applied = useQuery(appliedQuery(items)).data;
  const indexed = useQuery(indexedQuery(items)).data;
  const purged = useQuery(purgedQuery(items)).data;
  const times = new Map<number, ReachedTimes>();
  const note = (step: ReachedStep, reached: readonly Reached[] = []) => {
    for (const { sequence, at } of reached) {
      times.set(sequence, { ...times.get(sequence), [step]: at });
    }
  };
  note("applied", applied);
  note("indexed", indexed?.entries);
  note("purged", purged?.entries);
  const reached = (sequence: number | null): ReachedTimes =>
    (sequence === null ? undefined : times.get(sequence)) ?? {};
  return { reached, missing: [...(indexed?.missing ?? []), ...(purged?.missing ?? [])] };
}

/** The item, linked to its page on the site. */
function Item({ publish }: { publish: Publish }) {
  const t = useMessages(publishMessages);
  const { title, collection, key, version, change, live } = publish;
  const name = title ?? key;
  const [address] = live?.addresses ?? [];
  return (
    <>
      {address && /^https?:\/\//.test(address) ? (
        <a href={address} target="_blank" rel="noreferrer" className="text-link">
          {name}
          <span className="sr-only">, {t.newTab}</span>
        </a>
      ) : (
        <span>{name}</span>
      )}
      <span className="block text-sm font-normal text-muted">
        {collection}
        {title ? ` · ${key}` : ""} · {t.version(version)}
        {change === "removed" ? ` · ${t.removed}` : ""}
      </span>
    </>
  );
}

/** When the item was recorded, and its position in the log. */
function Captured({ publish: { capturedAt, sequence, refused } }: { publish: Publish }) {
  const t = useMessages(publishMessages);
  return (
    <span>
      <Moment at={capturedAt} />
      {refused === null ? (
        <span className="block text-sm text-muted">
          {sequence === null ? t.waitsForLog : formatPosition(sequence)}
        </span>
      ) : null}
    </span>
  );
}

const COLOUR: Record<PublishStepName, string> = {
  captured: "fill-sea",
  logged: "fill-leaf",
  applied: "fill-line-strong",
  indexed: "fill-ink",
  purged: "fill-clay",
  rendered: "fill-sun-strong",
};

interface StepTimesProps {
  publish: Publish;
  reached: ReachedTimes;
}

function StepTimes({ publish, reached }: StepTimesProps) {
  const t = useMessages(publishMessages);
  const locale = useLocale();
  const { steps, total } = stepsOf(publish, reached);
  const time = (milliseconds: number) => formatDuration(locale, milliseconds);
  const { refused, live, overtaken, change, hintedAt } = publish;
  if (refused !== null) {
    return (
      <div>
        <State tone="wrong">{t.refused}</State>
        <p className="mt-1 text-sm">
          <ServiceText>{refused}</ServiceText>
        </p>
      </div>
    );
  }
  const notSeen = overtaken ? t.overtaken : t.notLive;
  const seen = live?.since ? (change === "removed" ? t.offSince : t.isLive) : notSeen;
  return (
    <div className="max-w-md">
      {total !== null && steps.length > 1 ? (
        <svg aria-hidden="true" className="mb-1.5 block h-2 w-full rounded-full">
          {shares(steps).map(({ name, from, width }) => (
            <rect
              key={name}
              className={COLOUR[name]}
              x={`${from}%`}
              width={`${width}%`}
              height="100%"
            />
          ))}
        </svg>
      ) : null}
      <ul className="flex flex-wrap gap-x-4 text-sm">
        {hintedAt === null ? <li className="text-muted">{t.found}</li> : null}
        {steps.map(({ name, milliseconds }) => (
          <li key={name}>
            <svg aria-hidden="true" className="mr-1.5 inline-block size-2.5">
              <rect className={COLOUR[name]} width="100%" height="100%" rx="3" />
            </svg>
            <b className="font-semibold">{time(milliseconds)}</b>{" "}
            <span className="text-muted">{t[name]}</span>
          </li>
        ))}
        {total === null ? <li className="text-muted">{seen}</li> : null}
      </ul>
      {total === null || hintedAt === null ? null : (
        <p className="text-sm text-muted">{t.total(time(total))}</p>
      )}
    </div>
  );
}
