import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNavigationType } from "react-router";
import type { PropertyCard as Card } from "#app/lib/api/types.ts";
import { formatArea, formatPrice } from "#app/lib/format/format.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useEnergyInShort } from "#app/lib/property/energy.ts";
import { offerOf } from "#app/lib/property/offer.ts";
import { prefetchProperty, propertyPath } from "#app/lib/property/queries.ts";
import type { FoundIn } from "#app/lib/search/navigation-state.ts";
import { ImperialFigure } from "#app/lib/units/imperial-figure.tsx";
import { kindNames } from "#app/lib/vocabulary/names.gen.ts";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { carryPhoto } from "../gallery/carry-photo.ts";
import { propertyMessages } from "../messages.ts";
import { HomeTools } from "../my-homes/home-tools.tsx";
import { Price } from "../price/price.tsx";
import { Badges, hasBadges } from "./badges.tsx";

interface PropertyCardProps {
  property: Card;
  /** The `sizes` attribute of the card's picture: its width by screen size. */
  sizes: string;
  /** Whether its picture is loaded first: for the first card, where it is the largest element in view. */
  eager?: boolean;
  heading?: "h2" | "h3";
  /** The search whose results contain the card. */
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
  const lang = foreignTag(property.language ?? locale, locale);
  const link = useRef<HTMLAnchorElement>(null);
  const isBack = useNavigationType() === "POP";
  useEffect(() => {
    // After Back, keyboard users continue from the card that they opened.
    if (
      isBack &&
      history.state?.opened === property.ref &&
      document.activeElement?.matches("body, #content")
    ) {
      link.current?.focus({ preventScroll: true });
    }
  }, [isBack, property.ref]);
  const prefetch = () => prefetchProperty(client, locale, property.ref);
  return (
    <article
      // Links the card with its pin: pointing at one highlights the other.
      data-ref={property.ref}
      className="card"
    >
      <div className="card-photo">
        {cover ? (
          <Picture
            picture={cover}
            alt={property.title}
            sizes={sizes}
            eager={eager}
            className="zoom"
          />
        ) : (
          <p className="flex size-full flex-col items-center justify-center gap-2 text-sm text-muted">
            <Icon name="camera" className="size-7" />
            {t.noPhoto}
          </p>
        )}
        {hasBadges(property) ? (
          <div className="card-badges">
            <Badges property={property} ground="photo" />
          </div>
        ) : null}
        <HomeTools
          reference={property.ref}
          path={propertyPath(property)}
          now={offerOf(property)}
          on="card"
        />
      </div>
      <div className="card-text">
        <Price price={property.price} previousPrice={property.previousPrice} />
        <Heading className="card-title" lang={lang}>
          <Link
            ref={link}
            to={propertyPath(property)}
            onPointerEnter={prefetch}
            state={{ foundIn }}
            onFocus={prefetch}
            onClick={(event) => {
              // In this page's history entry, which outlasts the document.
              history.replaceState({ ...history.state, opened: property.ref }, "");
              carryPhoto(event.currentTarget.closest("article"));
            }}
            viewTransition
            className="spread-link"
          >
            {property.title}
          </Link>
        </Heading>
        <p className="card-place">
          {`${t.place(kinds[property.kind], property.location.name)}${lang ? ` · ${t.otherLanguage}` : ""}`}
        </p>
        <Facts property={property} perMetre={foundIn?.search?.sort === "price-per-m2"} />
      </div>
    </article>
  );
}

interface FactsProps {
  property: Card;
  /** Whether to show the price per square metre: in a list that is sorted by it. */
  perMetre: boolean;
}

function Facts({ property, perMetre }: FactsProps) {
  const locale = useLocale();
  const t = useMessages(propertyMessages);
  const { bedrooms, bathrooms, builtArea, plotArea, kind, price } = property;
  const facts: [IconName, string, squareMetres?: number][] = [];
  if (bedrooms) facts.push(["bed", t.beds(bedrooms)]);
  else if (kind === "studio") facts.push(["bed", t.studio]);
  if (bathrooms) facts.push(["bath", t.baths(bathrooms)]);
  if (builtArea) facts.push(["area", formatArea(locale, builtArea), builtArea]);
  if (plotArea && facts.length < 4)
    facts.push(["plot", t.plot(formatArea(locale, plotArea)), plotArea]);
  const energy = useEnergyInShort()(kind, property.energyRating);
  return (
    <ul className="card-facts">
      {perMetre && price && builtArea ? (
        <li>{t.perMetre(formatPrice(locale, price / builtArea))}</li>
      ) : null}
      {facts.map(([icon, text, squareMetres]) => (
        <li key={icon}>
          <Icon name={icon} />
          {text}
          <ImperialFigure area={squareMetres} />
        </li>
      ))}
      {energy ? <li>{energy}</li> : null}
    </ul>
  );
}
