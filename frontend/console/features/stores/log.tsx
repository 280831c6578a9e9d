import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { syncState } from "#console/lib/api/queries.ts";
import type { SyncState } from "#console/lib/api/types.ts";
import { ConfirmAction } from "#console/ui/confirm-action.tsx";
import { type Fact, FactList } from "#console/ui/fact-list.tsx";
import { Duration, Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { Progress } from "#console/ui/progress.tsx";
import { QueryState } from "#console/ui/query-state.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { storeMessages } from "./messages.ts";
import { taskNames } from "./names-messages.ts";
import { StepSwitch } from "./step-switch.tsx";
import { useFigures } from "./use-figures.ts";

const CHANGES = syncState.queryKey;

/** The ledger, the stream that is published from it, and what waits before each. */
export function Log() {
  const t = useMessages(storeMessages);
  return (
    <Part title={t.log} lead={t.logLead}>
      <QueryState of={useQuery(syncState)}>
        {(state) => (
          <Card className="grid gap-6 p-5 sm:p-6">
            <LogFacts state={state} />
            <Reconciling of={state.reconcile} />
            <LogActions state={state} />
            <Troubles of={state.troubles} />
          </Card>
        )}
      </QueryState>
    </Part>
  );
}

function LogFacts({ state }: { state: SyncState }) {
  const t = useMessages(storeMessages);
  const { figure, bytes } = useFigures();
  const { stream, outbox, inbox, dirty, breaker, paused } = state;
  const step = (isPaused: boolean) => (
    <State tone={isPaused ? "resting" : "well"}>{isPaused ? t.paused : t.running}</State>
  );
  const facts: Fact[] = [
    [t.capture, step(paused.capture)],
    [t.relay, step(paused.relay)],
    [
      t.breaker,
      <>
        <State tone={breaker.open ? "wrong" : "well"}>{breaker.open ? t.open : t.closed}</State>
        {breaker.reason ? (
          <span className="mt-1 block text-sm font-normal">
            <ServiceText>{breaker.reason}</ServiceText>
          </span>
        ) : null}
      </>,
    ],
    [t.leads, state.leads ? t.yes : t.no],
    [t.epoch, state.epoch ?? t.none],
    [t.last, stream ? figure(stream.lastSequence) : t.noStream],
    [t.messages, figure(stream?.messages)],
    [t.bytes, bytes(stream?.bytes)],
    [t.fresh, figure(outbox.fresh)],
    [t.refill, figure(outbox.refill)],
    [t.dirty, figure(dirty.count)],
    [t.unresolved, figure(inbox.unresolved)],
    [t.oldest, <Duration key="" seconds={inbox.oldestSeconds} />],
    [
      t.ledger,
      <span className="text-sm" key="">
        {state.ledger ?? t.none}
      </span>,
    ],
  ];
  return <FactList facts={facts} />;
}

function Reconciling({ of }: { of: SyncState["reconcile"] }) {
  const t = useMessages(storeMessages);
  const { figure } = useFigures();
  const counts = t.reconcileSeen(figure(of.seen), figure(of.differing), figure(of.missing));
  if (of.running) {
    return (
      <Progress label={t.reconciling} share={undefined}>
        {counts} · {t.since} <Moment at={of.startedAt} />
      </Progress>
    );
  }
  if (!of.endedAt) return null;
  return (
    <p className="text-sm text-muted">
      {of.error ? t.reconcileFailed : t.reconcileLast} <Moment at={of.endedAt} /> ·{" "}
      {of.error ? <ServiceText>{of.error}</ServiceText> : counts}
    </p>
  );
}

function LogActions({ state: { paused, reconcile } }: { state: SyncState }) {
  const t = useMessages(storeMessages);
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      <ConfirmAction
        label={t.reconcile}
        disabled={reconcile.running}
        title={t.reconcileTitle}
        what={t.reconcileWhat}
        path="/api/sync/reconcile"
        body={(answers: FormData) => ({ allowMassRemoval: answers.has("allowMassRemoval") })}
        changes={CHANGES}
        done={() => t.reconcileBegun}
      >
        <Checkbox name="allowMassRemoval" label={t.massRemoval} hint={t.massRemovalHint} />
      </ConfirmAction>
      <StepSwitch
        path="/api/sync"
        what="capture"
        paused={paused.capture}
        pause={{ label: t.pauseCapture, title: t.pauseCaptureTitle, what: t.pauseCaptureWhat }}
        resume={{ label: t.resumeCapture, title: t.resumeCaptureTitle, what: t.resumeCaptureWhat }}
        changes={CHANGES}
      />
      <StepSwitch
        path="/api/sync"
        what="relay"
        paused={paused.relay}
        pause={{ label: t.pauseRelay, title: t.pauseRelayTitle, what: t.pauseRelayWhat }}
        resume={{ label: t.resumeRelay, title: t.resumeRelayTitle, what: t.resumeRelayWhat }}
        changes={CHANGES}
      />
    </div>
  );
}

function Troubles({ of }: { of: SyncState["troubles"] }) {
  const t = useMessages(storeMessages);
  const tasks: Readonly<Record<string, string>> = useMessages(taskNames);
  if (of.length === 0) return <p className="text-sm text-muted">{t.troublesNone}</p>;
  return (
    <div>
      <h3 className="font-sans font-semibold">{t.troubles}</h3>
      <ul className="mt-1.5 grid gap-1">
        {of.map(({ collection, task, since, reason }) => (
          <li key={`${collection} ${task}`}>
            <b className="font-semibold">{collection}</b> ·{" "}
            {tasks[task] ?? <ServiceText>{task}</ServiceText>} · {t.since.toLowerCase()}{" "}
            <Moment at={since} />: <ServiceText>{reason}</ServiceText>
          </li>
        ))}
      </ul>
    </div>
  );
}
