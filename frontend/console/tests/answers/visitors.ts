import type { EmptySearch, NotFoundPath, SlowCall, SlowRender } from "#console/lib/api/types.ts";
import { ago, TRACE } from "./common.ts";

export const slow = (): SlowCall[] =>
  [812.4, 455, 221].map((milliseconds, index) => ({
    call: "/api/properties",
    query: `locale=es&q=villa+con+piscina+nerja&page=${index + 1}`,
    milliseconds,
    at: ago(300 + index * 400),
    traceId: index === 0 ? TRACE : null,
  }));

export const emptySearches = (): EmptySearch[] => [
  { query: "houseboat", locale: "en", count: 31, lastAt: ago(900) },
  { query: "cueva en granada", locale: "es", count: 12, lastAt: ago(5_400) },
];

export const slowRenders = (): SlowRender[] => [
  {
    path: "/property-for-sale?propertyType=House",
    milliseconds: 1_240,
    at: ago(120),
    traceId: TRACE,
  },
  { path: "/es/news", milliseconds: 640.2, at: ago(2_000), traceId: null },
];

export const notFound = (): NotFoundPath[] => [
  {
    path: "/properties-for-sale-nerja.html",
    count: 214,
    lastAt: ago(40),
    referrer: "https://www.portal.example/costa-del-sol",
  },
  { path: "/wp-login.php", count: 90, lastAt: ago(600), referrer: null },
];
