import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Boundary } from "#app/lib/browser/boundary.tsx";
import { useLeaving } from "#app/lib/browser/use-leaving.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { type Bounds, type Spot, within } from "#app/lib/map/projection.ts";
import { GROUND_ATTRIBUTION } from "#app/lib/map/towns.ts";
import { propertyQuery } from "#app/lib/property/queries.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { areaText, bboxText, readArea, readBbox } from "#app/lib/search/search-area.ts";
import { type Search, searchPath } from "#app/lib/search/search-params.ts";
import { BASEMAP, useBasemap } from "#app/lib/site/basemap.ts";
import { areaBounds, paddingAround, START } from "./bounds.ts";
import { prepareSurface } from "./chosen-surface.ts";
import { Controls } from "./controls.tsx";
import { DrawnMap } from "./drawn-map.tsx";
import { Foot } from "./foot.tsx";
import { areaOf, markersOf, NOTHING, veilAround } from "./geometry.ts";
import { linkHomes } from "./linked.ts";
import { lngLats, NEAREST_ZOOM } from "./live-view.ts";
import { MapActions } from "./map-actions.tsx";
import { MapNotes } from "./map-notes.tsx";
import {
  addressBounds,
  type Cluster,
  drawnMapQuery,
  homesBounds,
  mapQuery,
  type Pin,
} from "./map-query.ts";
import { Markers } from "./markers.tsx";
import { mapMessages } from "./messages.ts";
import { PinCard } from "./pin-card.tsx";
import { useInView } from "./use-in-view.ts";
import { BY_VISITOR, type Rest, useLiveMap } from "./use-live-map.ts";
import { useMapSearch } from "./use-map-search.ts";

const loadDrawing = () => import("./drawing.tsx");
const Drawing = lazy(loadDrawing);

/** A visitor who moves on within this time is asked for once. */
const PAUSE_MS = 300;

interface SearchMapProps {
  /** As it was understood. */
  readonly search: Search;
  /** As the address says it. */
  readonly asked: Search;
  /** What a visitor can make of a home, for its card. */
  readonly tools: (home: Pin) => ReactNode;
}

/**
 * The homes of a search on a map that fills its parent. Where it is moved to, and an area drawn on
 * it, become part of the page's address, which the list follows. It comes with the page as a drawing
 * with links; the moving map takes its place once it is there.
 */
export default function SearchMap({ search: given, asked, tools }: SearchMapProps) {
  const t = useMessages(mapMessages);
  const locale = useLocale();
  const client = useQueryClient();
  const basemap = useBasemap();
  const help = useId();
  const { search, change } = useMapSearch(given);
  const [rest, setRest] = useState<Rest>();
  const [asIMove, setAsIMove] = useState(true);
  const [strayed, setStrayed] = useState(false);
  const [drawing, setDrawing] = useState(false);
  const [opened, setOpened] = useState<Pin>();
  /** What was said last, and of which area: of another, or of none, it holds no more. */
  const [said, say] = useState({ text: "", area: search.area });
  const container = useRef<HTMLDivElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const drawButton = useRef<HTMLButtonElement>(null);

  const drawn = useQuery({ ...drawnMapQuery(locale, asked), enabled: rest === undefined });
  const moving = useQuery({
    ...mapQuery(locale, search, Math.round(rest?.zoom ?? 0)),
    enabled: rest !== undefined,
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData, isFetching, isError, refetch } = rest ? moving : drawn;
  const answer = data?.body ?? drawn.data?.body;

  const inAddress = addressBounds(search);
  const first = inAddress ?? (answer && homesBounds(answer)) ?? START;
  const exact = search.bbox !== undefined;
  const goal =
    search.bbox ?? search.area ?? searchPath({ ...search, page: 1, sort: "newest", view: "list" });
  /** What the map was last led to, or moved to by hand: it is led there once. */
  const reached = useRef<string>(undefined);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  /** Another page was asked for since the map was moved last: a search would call that off. */
  const left = useRef(false);
  useLeaving(() => {
    left.current = true;
    clearTimeout(pause.current);
  });

  const { map, overlay, lost } = useLiveMap(container, {
    start: async (element) => {
      const { startMap } = await import("./engine.ts");
      if (answer || inAddress) reached.current = goal;
      return startMap({
        container: element,
        bounds: first,
        padding: paddingAround(exact),
        basemap,
        data: { area: NOTHING, veil: NOTHING, homes: NOTHING },
        words: { sea: t.sea, wheel: t.wheel, touch: t.touch },
      });
    },
    onStart: (started) => {
      prepareSurface(started, t.surface, help);
      started.on("click", ({ originalEvent: { target } }) => {
        if (target === started.getCanvas()) setOpened(undefined);
      });
    },
    onMove: () => {
      left.current = false;
      clearTimeout(pause.current);
    },
    onRest: (now, byVisitor) => {
      clearTimeout(pause.current);
      if (!byVisitor || drawing || !asIMove || left.current) {
        setRest(now);
        if (byVisitor && !drawing) setStrayed(true);
        return;
      }
      pause.current = setTimeout(() => searchAtRest(now), PAUSE_MS);
    },
  });

  const searchIn = (seen: Bounds) => {
    const bbox = bboxText(seen);
    reached.current = bbox;
    setStrayed(false);
    change({ bbox });
  };
  const searchAtRest = useEffectEvent((now: Rest) => {
    setRest(now);
    searchIn(now.seen);
  });
  const goTo = (bounds: Bounds, byVisitor = false, toTheEdge = false) => {
    map?.fitBounds(
      lngLats(bounds),
      { padding: paddingAround(toTheEdge), maxZoom: NEAREST_ZOOM, linear: true, duration: 400 },
      byVisitor ? BY_VISITOR : {},
    );
  };
  useEffect(() => {
    if (!map || reached.current === goal) return;
    const bbox = readBbox(search.bbox);
    const to = bbox ?? areaBounds(search.area);
    if (!to && (!answer || isPlaceholderData)) return;
    const bounds = to ?? (answer && homesBounds(answer));
    if (bbox) goTo(bbox, false, true);
    else if (bounds) goTo(bounds);
    reached.current = goal;
  });

  const inView = useInView(rest, answer);

  useEffect(() => {
    if (!map || !rest) return;
    const veil =
      reached.current === search.bbox ? veilAround(readBbox(search.bbox), rest.seen) : NOTHING;
    const homes = markersOf(inView?.clusters ?? [], inView?.pins ?? []);
    const area = areaOf(drawing ? [] : readArea(search.area));
    void import("./engine.ts").then(({ setData }) => {
      if (map.style) setData(map, { area, veil, homes });
    });
  }, [map, rest, inView, search, drawing]);

  const spotOf = useEffectEvent(async (ref: string) => {
    // A card does not tell where its home is, but what points at it asks for all of the home.
    const home = client.query({ ...propertyQuery(locale, ref), staleTime: "static" });
    return home.then(({ body }) => body.coordinates ?? undefined).catch(() => undefined);
  });
  const clusterAt = useEffectEvent((spot: Spot | undefined) => {
    const index = spot ? inView?.clusters.findIndex(({ bounds }) => within(bounds, spot)) : -1;
    return index === undefined || index < 0
      ? undefined
      : group.current?.querySelectorAll("[data-marker*='@']")[index];
  });
  useEffect(() => {
    if (group.current) return linkHomes(group.current, async (ref) => clusterAt(await spotOf(ref)));
  }, []);

  /** For buttons that go when they are pressed: the focus stays on the map. */
  const focusMap = () => map?.getCanvas().focus();
  const enter = (cluster: Cluster) => {
    focusMap();
    goTo(cluster.bounds, true);
  };
  const showAll = () => {
    reached.current = "";
    setStrayed(false);
    if (search.bbox) change({ bbox: undefined });
    else {
      const bounds = areaBounds(search.area) ?? (answer && homesBounds(answer));
      if (bounds) goTo(bounds);
      reached.current = goal;
    }
  };
  const beginDrawing = async () => {
    // The button keeps the focus until there is something to draw with.
    if (await loadDrawing().catch(() => undefined)) setDrawing(true);
  };
  const stopDrawing = () => {
    setDrawing(false);
    say({ text: "", area: search.area });
    setTimeout(() => drawButton.current?.focus());
  };
  const closeCard = () => {
    setOpened(undefined);
    const pin = `[data-marker="${CSS.escape(opened?.ref ?? "")}"]`;
    (group.current?.querySelector<HTMLElement>(pin) ?? map?.getCanvas())?.focus();
  };

  const unplaced = answer?.unplaced ?? 0;
  const nothing = !isPlaceholderData && answer?.total === 0;
  const summary =
    answer && inView ? t.summary(t.count(answer.total), inView.groups, inView.singles) : t.loading;
  const status = isError
    ? t.failed
    : lost
      ? t.lost
      : `${summary} ${unplaced > 0 ? t.unplaced(unplaced) : ""}`;

  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields
    <div
      ref={group}
      role="group"
      aria-label={t.map}
      aria-busy={isFetching || (!map && !lost)}
      className="relative isolate flex size-full min-h-80 flex-col overflow-clip rounded-card border border-line bg-surface print:hidden"
    >
      <div className="relative flex-1 overflow-clip bg-water">
        {map ? null : <DrawnMap search={asked} answer={answer} bounds={first} toTheEdge={exact} />}
        <div ref={container} className={`size-full ${map ? "" : "invisible"}`} />
        <p id={help} hidden>
          {t.help}
        </p>
        {map && overlay && inView
          ? createPortal(
              <Markers
                map={map}
                clusters={inView.clusters}
                pins={inView.pins}
                open={opened?.ref}
                stale={isPlaceholderData}
                inert={drawing}
                onCluster={enter}
                onPin={setOpened}
              />,
              overlay,
            )
          : null}
        {map ? <Controls map={map} onShowAll={showAll} /> : null}
        {map && drawing ? (
          <Boundary>
            <Drawing
              map={map}
              announce={(text) => say({ text, area: search.area })}
              onArea={(corners) => {
                const area = areaText(corners);
                reached.current = area;
                change({ area, bbox: undefined });
                stopDrawing();
                say({ text: t.finished(corners.length), area });
              }}
              onCancel={stopDrawing}
            />
          </Boundary>
        ) : null}
        {map && !drawing ? (
          <MapActions
            ref={drawButton}
            hasArea={search.area !== undefined}
            onDraw={() => {
              setOpened(undefined);
              void beginDrawing();
            }}
            onClear={() => {
              setOpened(undefined);
              change({ area: undefined });
              say({ text: t.cleared, area: undefined });
            }}
            onSearchHere={
              strayed && !asIMove && rest
                ? () => {
                    searchIn(rest.seen);
                    focusMap();
                  }
                : undefined
            }
          />
        ) : null}
        {opened && !drawing ? (
          <PinCard pin={opened} tools={tools(opened)} onClose={closeCard} />
        ) : null}
        <MapNotes
          lost={lost}
          nothing={nothing && !drawing}
          failed={isError}
          onEverywhere={
            search.bbox || search.area
              ? () => {
                  reached.current = "";
                  change({ bbox: undefined, area: undefined });
                  focusMap();
                }
              : undefined
          }
          onRetry={() => {
            void refetch();
            focusMap();
          }}
        />
      </div>
      <Foot
        asIMove={asIMove}
        onAsIMove={map ? setAsIMove : undefined}
        unplaced={unplaced}
        attribution={map && basemap ? BASEMAP.attribution : GROUND_ATTRIBUTION}
      />
      {/* Not while an area is drawn: the counts change with each step of the cross. */}
      <p role="status" className="sr-only">
        {drawing ? "" : status}
      </p>
      <p role="status" className="sr-only">
        {said.area === search.area ? said.text : ""}
      </p>
    </div>
  );
}
