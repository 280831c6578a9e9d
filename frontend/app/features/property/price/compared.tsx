import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { comparableQuery } from "#app/lib/property/queries.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { typePlurals } from "#app/lib/vocabulary/names.gen.ts";
import { Link } from "#app/ui/link.tsx";
import { sectionMessages } from "../facts/section-messages.ts";
import { nounOf } from "../noun.ts";

const ComparedPrices = lazy(() => import("./compared-prices.tsx"));

/**
 * The asking prices of comparable homes. They are loaded when the visitor scrolls near: what is above the price
 * history is enough for most visitors, and the document has no room for more. Without a script, a link to
 * the list of its place is shown instead.
 */
export function Compared({ property }: { property: PropertyDetail }) {
  const m = useMessages(sectionMessages);
  const types = useMessages(typePlurals);
  const sentinel = useRef<HTMLDivElement>(null);
  const { ref, kind, propertyType, location, price, status } = property;
  const { queryKey } = comparableQuery(useLocale(), ref);
  const client = useQueryClient();
  // After a step back it is there at once: otherwise the page would be shorter than the visitor left it, and
  // the restored scroll position would be at another part.
  const [isNear, setIsNear] = useState(() => client.getQueryData(queryKey) !== undefined);
  const isComparable = nounOf(kind) === "home" && Boolean(price) && status !== "sold";
  useEffect(() => {
    const element = sentinel.current;
    if (!isComparable || !element) return;
    const observer = new IntersectionObserver(
      (entries) => setIsNear((was) => was || entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: "50% 0px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isComparable]);
  if (!isComparable) return null;
  if (!isNear) {
    return (
      <>
        {/* Positioned out of the flow, so that it leaves no gap. */}
        <div ref={sentinel} className="absolute" />
        <Link
          to={`${placePath(location.slug)}?propertyType=${propertyType}`}
          className="text-link hidden noscript:block"
        >
          {m.comparePrices(types[propertyType], location.name)}
        </Link>
      </>
    );
  }
  return (
    <Boundary>
      <ComparedPrices property={property} />
    </Boundary>
  );
}
