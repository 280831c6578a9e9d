import { useLocale } from "#app/lib/i18n/locale.ts";
import { Icon } from "#app/ui/icon.tsx";
import { describeError, detailsOf } from "#console/lib/api/call-error.ts";
import { ServiceText } from "./service-text.tsx";

/** An error in words, at the place that caused it. */
export function Failure({ error }: { error: unknown }) {
  const locale = useLocale();
  if (!error) return null;
  return <Alert text={describeError(error, locale)} details={detailsOf(error)} />;
}

interface AlertProps {
  text: string;
  /** A service's own words. */
  details: readonly string[];
}

/** A box with what is wrong. Screen readers announce it at once. */
export function Alert({ text, details }: AlertProps) {
  return (
    <div role="alert" className="flex gap-3 rounded-card border border-clay bg-surface p-4">
      <Icon name="alert" className="mt-0.5 size-5 text-clay" />
      <div className="min-w-0">
        <p className="font-medium">{text}</p>
        {details.map((detail) => (
          <p key={detail} className="mt-0.5 text-sm text-muted">
            <ServiceText>{detail}</ServiceText>
          </p>
        ))}
      </div>
    </div>
  );
}
