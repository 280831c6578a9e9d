import { lazy } from "react";

/*
 * What a visitor does not see first. It is in the document from the start; its scripts come when it
 * wakes.
 */
export const More = lazy(() => import("./more.tsx"));
export const Money = lazy(() => import("./costs/money.tsx"));
export const InSearch = lazy(() => import("./in-search.tsx"));
export const SimilarHomes = lazy(() => import("./similar-homes.tsx"));
