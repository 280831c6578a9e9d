import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { AnnualCosts } from "../costs/annual-costs.tsx";
import { ComparedPrices } from "../price/compared-prices.tsx";
import { PriceHistory } from "../price/price-history.tsx";
import { Energy } from "./energy.tsx";
import { Features } from "./features.tsx";
import { Legal } from "./legal.tsx";
import { Locality } from "./locality.tsx";
import { Rooms } from "./rooms/rooms.tsx";
import { Sun } from "./sun/sun.tsx";
import { Watch } from "./watch/watch.tsx";

/** The sections below the description. */
export default function PropertySections({ property }: { property: PropertyDetail }) {
  const sold = property.status === "sold";
  return (
    <>
      <Boundary>
        <Rooms property={property} />
        <Watch property={property} />
        <Features features={property.features} />
      </Boundary>
      <Sun property={property} />
      <Boundary>
        <div className="flex flex-col gap-12 print:grid print:grid-cols-2 print:gap-6">
          <Energy property={property} />
          <AnnualCosts costs={property.annualCosts} />
        </div>
        <PriceHistory property={property} />
        <ComparedPrices property={property} />
        <Locality property={property} />
        {sold ? null : <Legal property={property} />}
      </Boundary>
    </>
  );
}
