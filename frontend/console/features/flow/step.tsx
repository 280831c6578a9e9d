import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { FlowStep } from "#console/lib/api/types.ts";
import { formatDuration } from "#console/lib/format/duration.ts";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { flowMessages } from "./messages.ts";
import { TONE_OF } from "./summary.ts";

/** A step: an arch that the water crosses, and below it the rate, the number that waits and their age. */
export function Step({ step }: { step: FlowStep }) {
  const t = useMessages(flowMessages);
  const locale = useLocale();
  const { step: name, state, ratePerMinute, lag, ageSeconds, why } = step;
  const figure = (value: number | null) => (value === null ? t.none : formatNumber(locale, value));
  const age = ageSeconds === null ? t.none : formatDuration(locale, ageSeconds * 1_000);
  return (
    <li className="flow-step" data-state={state}>
      <ArchDrawing rate={state === "stopped" || state === "paused" ? 0 : ratePerMinute} />
      <div className="flow-text">
        <h3 className="flow-name">{t[name]}</h3>
        <p className="sr-only">{t[`${name}What`]}</p>
        <p className="flow-rate">
          <b>{formatNumber(locale, rounded(ratePerMinute))}</b> <small>{t.aMinute}</small>
        </p>
        <dl className="flow-facts">
          <div>
            <dt>{t.waiting}</dt>
            <dd>{figure(lag)}</dd>
          </div>
          <div>
            <dt>{name === "purge" ? t.heard : t.oldest}</dt>
            <dd>
              {name === "purge"
                ? ageSeconds === null
                  ? t.none
                  : t.ago(age)
                : lag && ageSeconds
                  ? age
                  : t.none}
            </dd>
          </div>
        </dl>
        <p className="flow-state">
          <State tone={TONE_OF[state]}>{t[state]}</State>
        </p>
        {why && state !== "well" ? (
          <p className="flow-why">
            <ServiceText>{why}</ServiceText>
          </p>
        ) : null}
      </div>
    </li>
  );
}

const rounded = (rate: number) => (rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate));

/** The duration of the water's animation in seconds: the higher the rate, the faster the water. */
function animationSeconds(rate: number): number {
  return Math.max(0.8, 6 / (1 + Math.log10(1 + rate) * 2));
}

/** Drawn twice: horizontal where the steps are in a row, and vertical where they are in a column. */
function ArchDrawing({ rate }: { rate: number }) {
  const run = {
    animationDuration: `${animationSeconds(rate)}s`,
    animationPlayState: rate > 0 ? "running" : "paused",
  } as const;
  return (
    <>
      <svg aria-hidden="true" className="flow-arch">
        <rect className="flow-stone" width="100%" height="100%" />
        <rect className="flow-ring" x="1.5%" y="55" width="97%" height="900" rx="48.5%" />
        <rect className="flow-opening" x="6%" y="62" width="88%" height="900" rx="44%" />
        <rect className="flow-channel" y="20" width="100%" height="16" />
        <line className="flow-water" x1="0" x2="100%" y1="28" y2="28" />
        <line className="flow-run" x1="0" x2="100%" y1="28" y2="28" style={run} />
      </svg>
      <svg aria-hidden="true" className="flow-fall">
        <line className="flow-bed" x1="50%" x2="50%" y1="0" y2="100%" />
        <line className="flow-water" x1="50%" x2="50%" y1="0" y2="100%" />
        <line className="flow-run" x1="50%" x2="50%" y1="0" y2="100%" style={run} />
        <circle className="flow-pool" cx="50%" cy="26" r="9" />
      </svg>
    </>
  );
}
