import type { Read } from "#app/lib/query/page.ts";
import { listAt } from "#app/lib/search/list-path.ts";
import { firstQuery } from "#app/lib/search/queries.ts";
import { placePages } from "./place-pages.ts";

/** The number of places that are read at the same time. */
const MAX_PARALLEL = 8;

/** Adds, after the address of each place, those of the types and kinds that it has homes of. */
export async function addPlacePages<Address extends { readonly path: string }>(
  addresses: readonly Address[],
  read: Read,
): Promise<Address[]> {
  const all: Address[] = [];
  for (let start = 0; start < addresses.length; start += MAX_PARALLEL) {
    const some = addresses.slice(start, start + MAX_PARALLEL);
    all.push(...(await Promise.all(some.map((address) => expand(address, read)))).flat());
  }
  return all;
}

async function expand<Address extends { readonly path: string }>(
  address: Address,
  read: Read,
): Promise<Address[]> {
  const place = listAt(address.path)?.place;
  if (place === undefined) return [address];
  const { facets } = await read(firstQuery("en", { location: [place] }, 1));
  return [address, ...placePages(place, facets).map(({ path }) => ({ ...address, path }))];
}
