import { useMessages } from "#app/lib/i18n/messages.ts";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { parkedMessages } from "./messages.ts";
import type { Reason } from "./reasons.ts";

/** Each reason, with the field's value now and in the last good version. */
export function ReasonList({ reasons }: { reasons: readonly Reason[] }) {
  const t = useMessages(parkedMessages);
  return (
    <ul className="grid gap-3">
      {reasons.map(({ field, rule, now, lastGood, broken }) => (
        <li key={`${field} ${rule}`}>
          <p>
            {field === "" ? (
              <b className="font-semibold">{t.entireItem}</b>
            ) : (
              <code className="code font-semibold">{field}</code>
            )}{" "}
            <ServiceText>{rule}</ServiceText>
            {broken ? <State tone="wrong">{t.broken}</State> : null}
          </p>
          {now === undefined && lastGood === undefined ? null : (
            <dl className="difference">
              {now === undefined ? null : (
                <div data-is="now">
                  <dt>{t.now}</dt>
                  <dd>
                    {now || (
                      <span className="text-muted">{now === null ? t.noneGood : t.blank}</span>
                    )}
                  </dd>
                </div>
              )}
              {lastGood === undefined ? null : (
                <div data-is="good">
                  <dt>{t.onSite}</dt>
                  <dd>
                    {lastGood || (
                      <span className="text-muted">{lastGood === null ? t.noneGood : t.blank}</span>
                    )}
                  </dd>
                </div>
              )}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}
