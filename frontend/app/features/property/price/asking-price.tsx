import type { PropertyDetail } from "#app/lib/api/types.ts";
import { Price } from "./price.tsx";
import { Reduction } from "./reduction.tsx";

interface AskingPriceProps {
  property: Pick<PropertyDetail, "price" | "previousPrice" | "reducedAt">;
}

/** The asking price on a property page, with the last reduction and its date. */
export function AskingPrice({ property }: AskingPriceProps) {
  const { price, previousPrice, reducedAt } = property;
  return (
    <>
      <Price price={price} previousPrice={previousPrice} className="text-3xl leading-tight" />
      <Reduction price={price} previousPrice={previousPrice} reducedAt={reducedAt} />
    </>
  );
}
