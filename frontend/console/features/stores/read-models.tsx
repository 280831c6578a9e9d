import { useQuery } from "@tanstack/react-query";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { projectionsState } from "#console/lib/api/queries.ts";
import type { Generation, ProjectionsState } from "#console/lib/api/types.ts";
import { formatDuration } from "#console/lib/format/duration.ts";
import { ConfirmAction } from "#console/ui/confirm-action.tsx";
import { DataTable } from "#console/ui/data-table.tsx";
import { FactList } from "#console/ui/fact-list.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { Progress } from "#console/ui/progress.tsx";
import { QueryState } from "#console/ui/query-state.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { storeMessages } from "./messages.ts";
import { shareOf } from "./progress-of.ts";
import { StepSwitch } from "./step-switch.tsx";
import { useFigures } from "./use-figures.ts";

const CHANGES = projectionsState.queryKey;

/** The generations of the read models, and the position of each. */
export function ReadModels() {
  const t = useMessages(storeMessages);
  const { figure } = useFigures();
  return (
    <Part title={t.models} lead={t.modelsLead}>
      <QueryState of={useQuery(projectionsState)}>
        {(state) => (
          <Card className="grid gap-6 p-5 sm:p-6">
            <FactList
              facts={[
                [
                  t.following,
                  <State key="" tone={state.paused ? "resting" : "well"}>
                    {state.paused ? t.paused : t.running}
                  </State>,
                ],
                [t.modelsLag, figure(state.lag)],
              ]}
            />
            <Filling of={state.rebuild} />
            <ModelActions state={state} />
            <Generations of={state.generations} />
          </Card>
        )}
      </QueryState>
    </Part>
  );
}

function Filling({ of }: { of: ProjectionsState["rebuild"] }) {
  const t = useMessages(storeMessages);
  const locale = useLocale();
  const { figure } = useFigures();
  if (of.running) {
    return (
      <Progress label={of.kind === "swap-back" ? t.swappingBack : t.rebuilding} share={shareOf(of)}>
        {t.progress(figure(of.done), figure(of.left))}
        {of.secondsLeft === null
          ? ""
          : `, ${t.leftTime(formatDuration(locale, of.secondsLeft * 1_000))}`}{" "}
        · {t.since} <Moment at={of.startedAt} />
        {of.error ? (
          <>
            {" "}
            · {t.rebuildWaits} <ServiceText>{of.error}</ServiceText>
          </>
        ) : null}
      </Progress>
    );
  }
  if (!of.endedAt) return null;
  return (
    <p className="text-sm text-muted">
      {of.error ? t.rebuildFailed : t.rebuildLast} <Moment at={of.endedAt} />
      {of.error ? (
        <>
          {" "}
          · <ServiceText>{of.error}</ServiceText>
        </>
      ) : null}
    </p>
  );
}

function ModelActions({ state: { generations, paused, rebuild } }: { state: ProjectionsState }) {
  const t = useMessages(storeMessages);
  const { figure } = useFigures();
  const former = generations.find(({ canSwapBack }) => canSwapBack);
  // No rebuild starts while the read models are paused.
  const isBusy = rebuild.running || paused;
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      <ConfirmAction
        label={t.rebuild}
        disabled={isBusy}
        title={t.rebuildTitle}
        what={t.rebuildWhat}
        path="/api/projections/rebuild"
        body={{}}
        changes={CHANGES}
        done={() => t.rebuildBegun}
      />
      {former ? (
        <ConfirmAction
          label={t.swapBack}
          disabled={isBusy}
          title={t.swapBackTitle}
          what={t.swapBackWhat(figure(former.number))}
          path="/api/projections/swap-back"
          body={{}}
          changes={CHANGES}
          done={() => t.swapBackBegun}
        />
      ) : null}
      <StepSwitch
        path="/api/projections"
        paused={paused}
        pause={{ label: t.pauseModels, title: t.pauseModelsTitle, what: t.pauseModelsWhat }}
        resume={{ label: t.resumeModels, title: t.resumeModelsTitle, what: t.resumeModelsWhat }}
        changes={CHANGES}
      />
    </div>
  );
}

function Generations({ of }: { of: readonly Generation[] }) {
  const t = useMessages(storeMessages);
  const { figure, position } = useFigures();
  return (
    <div>
      <h3 className="mb-2 font-sans font-semibold">{t.generations}</h3>
      <DataTable
        caption={t.generations}
        rows={of}
        keyOf={({ number }) => String(number)}
        columns={[
          {
            head: t.generation,
            kind: "title",
            cell: ({ number }) => figure(number),
          },
          {
            head: t.state,
            cell: ({ live, canSwapBack }) => (
              <span>
                <State tone={live ? "well" : "unknown"}>
                  {live ? t.live : canSwapBack ? t.kept : t.filling}
                </State>
                {canSwapBack ? (
                  <span className="block text-sm text-muted">{t.backable}</span>
                ) : null}
              </span>
            ),
          },
          { head: t.modelVersion, cell: ({ modelVersion }) => modelVersion },
          { head: t.position, kind: "figure", cell: ({ sequence }) => position(sequence) },
          { head: t.letters, kind: "figure", cell: ({ deadLetters }) => figure(deadLetters) },
          { head: t.updated, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
        ]}
        empty={t.generationsNone}
      />
    </div>
  );
}
