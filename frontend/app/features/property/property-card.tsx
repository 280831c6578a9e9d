import { useQueryClient } from "@tanstack/react-query";
import type { PropertyItem } from "#app/lib/api/types.ts";
import { formatArea } from "#app/lib/format/format.ts";
import { LANGUAGE_TAG, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { kindNames } from "#app/lib/vocabulary/names.gen.ts";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { Badges } from "./badges.tsx";
import { carryPhoto } from "./carry-photo.ts";
import type { FoundIn } from "./found-in.ts";
import { propertyMessages } from "./messages.ts";
import { Price } from "./price.tsx";
import { propertyPath, readAhead } from "./queries.ts";

interface PropertyCardProps {
  property: PropertyItem;
  /** How wide the card's picture stands on which screens. */
  sizes: string;
  /** The first card of a page whose picture is the largest thing in sight. */
  eager?: boolean;
  heading?: "h2" | "h3";
  /** The search whose list the card stands in. */
  foundIn?: FoundIn;
}

/** One home in a list: the whole card is one link. */
export function PropertyCard({
  property,
  sizes,
  eager = false,
  heading: Heading = "h3",
  foundIn,
}: PropertyCardProps) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const kinds = useMessages(kindNames);
  const client = useQueryClient();
  const [cover] = property.images;
  const translated = property.language === locale;
  const ahead = () => readAhead(client, locale, property.ref);
  return (
    <article
      // The map marks the card of the home that is pointed at on it, and the other way round.
      data-ref={property.ref}
      className="group relative flex h-full flex-col rounded-card border border-line bg-surface p-2 transition-colors duration-200 hover:border-line-strong data-lit:border-ink data-lit:bg-sun-wash"
    >
      <div className="relative aspect-4/3 overflow-hidden rounded-xl bg-sunk">
        {cover ? (
          <Picture
            picture={cover}
            alt={property.title}
            sizes={sizes}
            eager={eager}
            className="size-full object-cover transition-transform duration-250 group-hover:scale-[1.02]"
          />
        ) : (
          <p className="flex size-full flex-col items-center justify-center gap-2 text-sm text-muted">
            <Icon name="camera" className="size-7" />
            {t.noPhoto}
          </p>
        )}
        <div className="absolute left-2.5 top-2.5 flex flex-wrap gap-1.5">
          <Badges property={property} ground="photo" />
        </div>
      </div>
      <div className="flex flex-1 flex-col px-2.5 pt-3.5 pb-2">
        <Price
          price={property.price}
          previousPrice={property.previousPrice}
          className="text-xl leading-tight"
        />
        <Heading
          className="mt-1.5 line-clamp-3 text-lg leading-snug"
          lang={translated ? undefined : LANGUAGE_TAG[property.language]}
        >
          <Link
            to={propertyPath(property)}
            onPointerEnter={ahead}
            state={{ foundIn }}
            onFocus={ahead}
            onClick={(event) => carryPhoto(event.currentTarget.closest("article"))}
            viewTransition
            className="after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-ink"
          >
            {property.title}
          </Link>
        </Heading>
        <p className="mt-1 text-sm text-muted">
          {t.place(kinds[property.kind], property.location.name)}
          {translated ? null : ` · ${t.otherLanguage}`}
        </p>
        <Facts property={property} />
      </div>
    </article>
  );
}

function Facts({ property }: { property: PropertyItem }) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const { bedrooms, bathrooms, builtArea, plotArea, kind } = property;
  const facts: [IconName, string][] = [];
  if (bedrooms) facts.push(["bed", t.beds(bedrooms)]);
  else if (kind === "studio") facts.push(["bed", t.studio]);
  if (bathrooms) facts.push(["bath", t.baths(bathrooms)]);
  if (builtArea) facts.push(["area", formatArea(locale, builtArea)]);
  if (plotArea && facts.length < 4) facts.push(["plot", t.plot(formatArea(locale, plotArea))]);
  return (
    <ul className="mt-auto flex flex-wrap gap-x-4 gap-y-1 pt-3 text-sm tabular-nums">
      {facts.map(([icon, text]) => (
        <li key={icon} className="flex items-center gap-1.5">
          <Icon name={icon} className="size-4.5 text-muted" />
          {text}
        </li>
      ))}
    </ul>
  );
}
