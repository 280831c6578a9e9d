import { useMyHomes } from "#app/lib/my-homes/use-my-homes.ts";

/** Shows the visitor's number of favourites, beside the heart that links to them. */
export default function FavouritesCount() {
  const count = [...useMyHomes().values()].filter(({ favourite }) => favourite).length;
  return count > 0 ? (
    <span className="absolute top-1 right-0 min-w-5 rounded-full bg-sun px-1 text-center text-xs/5 font-semibold text-on-sun tabular-nums">
      {count}
    </span>
  ) : null;
}
