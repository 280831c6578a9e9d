import { useId } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Overview } from "#console/lib/api/types.ts";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { flowMessages } from "./messages.ts";
import { Step } from "./step.tsx";
import { notReady, overallTone, TONE_OF, unhealthySteps } from "./summary.ts";

/** An animated picture of the flow: an aqueduct whose water is the messages that pass. */
export function FlowPicture({ overview }: { overview: Overview }) {
  const t = useMessages(flowMessages);
  const title = useId();
  return (
    <section aria-labelledby={title} className="mt-6">
      <h2 id={title} className="sr-only">
        {t.steps}
      </h2>
      <Summary overview={overview} />
      <div className="flow" data-tone={overallTone(overview)}>
        <span aria-hidden="true" className="flow-sun" />
        <ol className="flow-steps">
          {overview.flow.map((step) => (
            <Step key={step.step} step={step} />
          ))}
        </ol>
      </div>
    </section>
  );
}

/** The state of the flow in words. Screen readers announce it when it changes. */
function Summary({ overview }: { overview: Overview }) {
  const t = useMessages(flowMessages);
  const steps = unhealthySteps(overview.flow);
  const roles = notReady(overview.roles);
  const open = overview.breakers.filter((breaker) => breaker.open);
  const empty = overview.flow.length === 0;
  return (
    <div role="status" className="relative z-10 mb-5 grid gap-1.5 lg:mr-56">
      {empty ? <p className="text-lg">{t.nothingKnown}</p> : null}
      {!empty && steps.length === 0 ? <p className="text-lg">{t.allWell}</p> : null}
      {steps.map(({ step, state }) => (
        <p key={step} className="flex flex-wrap items-baseline gap-x-2.5">
          <State tone={TONE_OF[state]}>{t.stepIs(t[step], t[state])}</State>
        </p>
      ))}
      {roles.length > 0 ? <p>{t.notReady(roles.length)}</p> : null}
      {open.map(({ name, reason }) => (
        <p key={name}>
          {t.breakerOpen(name)}
          {reason ? (
            <>
              : <ServiceText>{reason}</ServiceText>
            </>
          ) : null}
        </p>
      ))}
    </div>
  );
}
