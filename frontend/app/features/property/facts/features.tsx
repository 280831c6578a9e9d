import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { GROUP_ICONS, groupedFeatures, groupNames } from "./feature-groups.ts";
import { sectionMessages } from "./section-messages.ts";

/** The features of a property, grouped by topic. */
export function Features({ features }: { features: readonly string[] }) {
  const locale = useLocale();
  const d = useMessages(sectionMessages);
  const names = useMessages(groupNames);
  const groups = groupedFeatures(features);
  if (groups.length === 0) return null;
  return (
    <section aria-labelledby="features">
      <h2 id="features" className="text-heading">
        {d.features}
      </h2>
      <div className="mt-5 grid gap-x-8 gap-y-7 sm:grid-cols-2 print:grid-cols-3 print:gap-y-2">
        {groups.map(({ name, features: members }) => (
          <div key={name} className="feature-group">
            <span>
              <Icon name={GROUP_ICONS[name]} />
            </span>
            <div>
              <h3>{names[name]}</h3>
              <ul>
                {members.map((feature) => (
                  <li key={feature}>{featureName(feature, locale)}</li>
                ))}
              </ul>
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
