import { useEffect, useRef, useState } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { lazy } from "#app/lib/release/lazy.ts";
import { nounOf } from "../noun.ts";

const ComparedPrices = lazy(() => import("./compared-prices.tsx"));

/**
 * What comparable homes are offered at. It is asked for when a visitor comes near: what stands above the
 * price history is enough for most, and the document of a home has no room for more.
 */
export function Compared({ property }: { property: PropertyDetail }) {
  const mark = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = mark.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => setNear((was) => was || entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: "50% 0px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { kind, price, status } = property;
  if (nounOf(kind) !== "home" || !price || status === "sold") return null;
  // Out of the flow, so that it leaves no gap.
  if (!near) return <div ref={mark} className="absolute" />;
  return (
    <Boundary>
      <ComparedPrices property={property} />
    </Boundary>
  );
}
