import { isRouteErrorResponse } from "react-router";
import { ApiError } from "#app/lib/api/answer.ts";
import type { WithdrawnProperty } from "#app/lib/api/types.ts";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { LIST_PATH, placePath } from "#app/lib/search/list-path.ts";
import { Seo } from "#app/lib/seo/seo.tsx";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { SimilarHomes } from "./card/similar-homes.tsx";
import { detailMessages } from "./detail-messages.ts";

/** Returns the withdrawn home from the body of a 410 error; undefined for any other error. */
export function withdrawnPropertyOf(error: unknown): WithdrawnProperty | undefined {
  const body = isRouteErrorResponse(error)
    ? error.status === 410 && error.data
    : error instanceof ApiError && error.status === 410 && error.body;
  return isWithdrawn(body) ? body : undefined;
}

function isWithdrawn(body: unknown): body is WithdrawnProperty {
  return typeof body === "object" && body !== null && "ref" in body && "similar" in body;
}

/** The page of a withdrawn home: what it was, and similar homes. */
export function Gone({ property }: { property: WithdrawnProperty }) {
  const { settings } = useSite();
  const d = useMessages(detailMessages);
  const { ref, location, placeGone, similar } = property;
  const place = placeGone ? undefined : location.name;
  return (
    <>
      <Seo
        title={d.goneTitle(ref)}
        description={d.goneText(place)}
        suffix={settings.titleSuffix}
        path={undefined}
      />
      <div className="page-width flex items-center justify-between gap-16 py-14 lg:py-20">
        <div>
          <p className="inline-flex rounded-full bg-sunk px-3 py-1.5 text-sm font-semibold">
            {d.gone}
          </p>
          <h1 className="mt-4 max-w-[24ch] text-title">{d.goneTitle(ref)}</h1>
          <p className="mt-4 max-w-[60ch] text-lg text-muted">{d.goneText(place)}</p>
          <Link
            to={placeGone ? LIST_PATH : placePath(location.slug)}
            className={`${buttonStyle.primary} mt-7`}
          >
            {d.goneList(place)}
          </Link>
        </div>
        <span
          aria-hidden="true"
          className="arch relative hidden h-64 w-48 shrink-0 bg-sunk lg:block lg:mr-16"
        >
          <span className="absolute top-10 left-1/2 size-20 -translate-x-1/2 rounded-full bg-sun" />
        </span>
      </div>
      {place === undefined ? null : (
        <Boundary>
          <SimilarHomes homes={similar} place={place} />
        </Boundary>
      )}
    </>
  );
}
