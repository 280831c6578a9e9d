import type { ListingStatus } from "#app/lib/api/types.ts";
import { EVERYTHING } from "#app/lib/search/search-params.ts";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import { START } from "./bounds.ts";
import { DrawnMap } from "./drawn-map.tsx";
import type { PropertyMap } from "./map-query.ts";

const pin = (
  ref: string,
  lat: number,
  lng: number,
  status: ListingStatus,
  price: number | null,
) => ({
  ref,
  title: ref,
  url: `/property-for-sale/nerja/${ref}`,
  lat,
  lng,
  status,
  price,
});

const HOMES: PropertyMap = {
  clusters: [
    {
      count: 12,
      lat: 36.755,
      lng: -3.955,
      bounds: { west: -3.97, south: 36.74, east: -3.94, north: 36.77 },
    },
  ],
  pins: [
    pin("S-1", 36.75, -3.87, "for_sale", 325_000),
    pin("S-2", 36.79, -3.9, "under_offer", 1_250_000),
    pin("S-3", 36.81, -4.03, "for_sale", null),
  ],
  total: 15,
  unplaced: 0,
  sequence: 0,
};

/** The map as it is in a page's HTML, with each kind of marker. */
export function MapSamples() {
  return (
    <SampleGroup name="Map">
      <Sample name="Map">
        <div
          className="relative w-full overflow-clip rounded-card border border-line"
          style={{ height: "24rem" }}
        >
          <DrawnMap search={EVERYTHING} answer={HOMES} bounds={START} toTheEdge={false} />
        </div>
      </Sample>
    </SampleGroup>
  );
}
