import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Publish } from "#console/lib/api/types.ts";
import { formatDuration } from "#console/lib/format/duration.ts";
import { formatPosition } from "#console/lib/format/position.ts";
import { Moment } from "#console/ui/moment.tsx";
import { type Column, Rows } from "#console/ui/rows.tsx";
import { State } from "#console/ui/state.tsx";
import { Told } from "#console/ui/told.tsx";
import { TraceLink } from "#console/ui/trace-link.tsx";
import { publishMessages } from "./messages.ts";
import { shares, stepsOf } from "./steps.ts";

interface PublishListProps {
  items: readonly Publish[];
  empty: string;
}

/** Each publish as a row: what, when, how long each step took, and its trace. */
export function PublishList({ items, empty }: PublishListProps) {
  const t = useMessages(publishMessages);
  const columns: Column<Publish>[] = [
    { head: t.item, kind: "title", cell: (publish) => <Item publish={publish} /> },
    { head: t.captured, cell: (publish) => <Captured publish={publish} /> },
    { head: t.steps, kind: "wide", cell: (publish) => <StepTimes publish={publish} /> },
    {
      head: t.trace,
      cell: ({ traceId, collection, key }) => (
        <TraceLink id={traceId} of={`${collection} ${key}`} />
      ),
    },
  ];
  return (
    <Rows
      caption={t.list}
      rows={items}
      keyOf={({ id }) => String(id)}
      columns={columns}
      empty={empty}
    />
  );
}

/** What it is, which leads to where it is seen. */
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

/** When it was recorded, and where the log has it. */
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

function StepTimes({ publish }: { publish: Publish }) {
  const t = useMessages(publishMessages);
  const locale = useLocale();
  const steps = stepsOf(publish);
  const parts = shares(steps);
  const time = (milliseconds: number) => formatDuration(locale, milliseconds);
  const { refused, live, change } = publish;
  if (refused !== null) {
    return (
      <div>
        <State is="wrong">{t.refused}</State>
        <p className="mt-1 text-sm">
          <Told>{refused}</Told>
        </p>
      </div>
    );
  }
  return (
    <div className="max-w-md">
      {parts ? (
        <svg aria-hidden="true" className="mb-1.5 block h-2 w-full rounded-full">
          <rect className="fill-sea" width={`${parts[0]}%`} height="100%" />
          <rect
            className="fill-sun-strong"
            x={`${parts[0]}%`}
            width={`${parts[1]}%`}
            height="100%"
          />
        </svg>
      ) : null}
      <p className="flex flex-wrap gap-x-4 text-sm">
        {steps.toCapture === null ? (
          <span className="text-muted">{t.found}</span>
        ) : (
          <span>
            <b className="font-semibold">{time(steps.toCapture)}</b>{" "}
            <span className="text-muted">{t.toCapture}</span>
          </span>
        )}
        {steps.toLive === null ? (
          <span className="text-muted">
            {live?.since ? (change === "removed" ? t.offSince : t.isLive) : t.notLive}
          </span>
        ) : (
          <span>
            <b className="font-semibold">{time(steps.toLive)}</b>{" "}
            <span className="text-muted">{t.toLive}</span>
          </span>
        )}
      </p>
      {steps.total === null || steps.toCapture === null ? null : (
        <p className="text-sm text-muted">{t.total(time(steps.total))}</p>
      )}
    </div>
  );
}
