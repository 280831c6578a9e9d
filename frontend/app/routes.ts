import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every page stands in English at the root and in Spanish under `/es`: one module serves both. */
export default [
  route("es?", "routes/layout.tsx", [
    index("routes/home.tsx"),
    route("property-for-sale/:location?", "routes/property-list.tsx"),
    route("property-for-sale/:location/:ref", "routes/property-detail.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
