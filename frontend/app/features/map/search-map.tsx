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
import { areaText, bboxText, parseArea, parseBbox } from "#app/lib/search/search-area.ts";
import { type Search, searchPath } from "#app/lib/search/search-params.ts";
import { BASEMAP, useBasemap } from "#app/lib/site/basemap.ts";
import { areaBounds, START } from "./bounds.ts";
import { Controls } from "./controls.tsx";
import { DrawnMap } from "./drawn-map.tsx";
import { areaOf, EMPTY, markersOf, veilAround } from "./geometry.ts";
import { linkHomes } from "./link-homes.ts";
import { fitOptions, lngLats } from "./live-view.ts";
import { MapActions } from "./map-actions.tsx";
import { MapFooter } from "./map-footer.tsx";
import { MapNotes } from "./map-notes.tsx";
import {
  addressBounds,
  type Cluster,
  drawnMapQuery,
  homesBounds,
  mapQuery,
  type Pin,
} from "./map-query.ts";
import { prepareSurface } from "./map-surface.ts";
import { Markers } from "./markers.tsx";
import { mapMessages } from "./messages.ts";
import { PinCard } from "./pin-card.tsx";
import { useInView } from "./use-in-view.ts";
import { BY_VISITOR, type SettledView, useLiveMap } from "./use-live-map.ts";
import { useMapSearch } from "./use-map-search.ts";

const loadDrawing = () => import("./drawing.tsx");
const Drawing = lazy(loadDrawing);

/** The pause after a movement before a search, so that several movements make one. */
const SEARCH_DELAY_MS = 300;

interface SearchMapProps {
  /** With the filters that were understood from its text. */
  readonly search: Search;
  /** As in the address. */
  readonly asked: Search;
  /** Returns the buttons of a home's card, such as that for favourites. */
  readonly tools: (home: Pin) => ReactNode;
}

/**
 * The homes of a search on a map that fills its parent. The view that it is moved to and an area drawn on
 * it become part of the page's address, and so filter the list. The page's HTML has a drawing with links,
 * which the interactive map replaces when it has loaded.
 */
export default function SearchMap({ search: given, asked, tools }: SearchMapProps) {
  const t = useMessages(mapMessages);
  const locale = useLocale();
  const client = useQueryClient();
  const basemap = useBasemap();
  const help = useId();
  const { search, change } = useMapSearch(given);
  const [view, setView] = useState<SettledView>();
  const [asIMove, setAsIMove] = useState(true);
  const [movedAway, setMovedAway] = useState(false);
  const [drawing, setDrawing] = useState(false);
  const [opened, setOpened] = useState<Pin>();
  /**
   * The last announcement and the area it is about. It is dropped when the search has another area or none.
   */
  const [announcement, announce] = useState({ text: "", area: search.area });
  const container = useRef<HTMLDivElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const drawButton = useRef<HTMLButtonElement>(null);

  const drawn = useQuery({ ...drawnMapQuery(locale, asked), enabled: view === undefined });
  const moving = useQuery({
    ...mapQuery(locale, search, Math.round(view?.zoom ?? 0)),
    enabled: view !== undefined,
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData, isFetching, isError, refetch } = view ? moving : drawn;
  const answer = data?.body ?? drawn.data?.body;

  const inAddress = addressBounds(search);
  const initialBounds = inAddress ?? (answer && homesBounds(answer)) ?? START;
  const hasBbox = search.bbox !== undefined;
  const goal =
    search.bbox ?? search.area ?? searchPath({ ...search, page: 1, sort: "newest", view: "list" });
  /**
   * The goal that the map was last moved to, by the page or by the visitor. The page moves it to a goal
   * only once.
   */
  const reached = useRef<string>(undefined);
  const searchTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(searchTimer.current), []);
  /** Whether a navigation to another page has started since the last movement: a search would cancel it. */
  const isLeaving = useRef(false);
  useLeaving(() => {
    isLeaving.current = true;
    clearTimeout(searchTimer.current);
  });

  const { map, overlay, fault } = useLiveMap(container, {
    start: async (element) => {
      const { startMap } = await import("./engine.ts");
      if (answer || inAddress) reached.current = goal;
      return startMap({
        container: element,
        bounds: initialBounds,
        toTheEdge: hasBbox,
        basemap,
        data: { area: EMPTY, veil: EMPTY, homes: EMPTY },
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
      isLeaving.current = false;
      clearTimeout(searchTimer.current);
    },
    onStop: (settled, byVisitor) => {
      clearTimeout(searchTimer.current);
      if (!byVisitor || drawing || !asIMove || isLeaving.current) {
        setView(settled);
        if (byVisitor && !drawing) setMovedAway(true);
        return;
      }
      searchTimer.current = setTimeout(() => searchInView(settled), SEARCH_DELAY_MS);
    },
  });

  const searchIn = (seen: Bounds) => {
    const bbox = bboxText(seen);
    reached.current = bbox;
    setMovedAway(false);
    change({ bbox });
  };
  const searchInView = useEffectEvent((settled: SettledView) => {
    setView(settled);
    searchIn(settled.seen);
  });
  const goTo = (bounds: Bounds, byVisitor = false, toTheEdge = false) => {
    map?.fitBounds(
      lngLats(bounds),
      { ...fitOptions(toTheEdge), linear: true, duration: 400 },
      byVisitor ? BY_VISITOR : {},
    );
  };
  useEffect(() => {
    if (!map || reached.current === goal) return;
    const bbox = parseBbox(search.bbox);
    const to = bbox ?? areaBounds(search.area);
    if (!to && (!answer || isPlaceholderData)) return;
    const bounds = to ?? (answer && homesBounds(answer));
    if (bbox) goTo(bbox, false, true);
    else if (bounds) goTo(bounds);
    reached.current = goal;
  });

  const inView = useInView(view, answer);

  useEffect(() => {
    if (!map || !view) return;
    const veil =
      reached.current === search.bbox ? veilAround(parseBbox(search.bbox), view.seen) : EMPTY;
    const homes = markersOf(inView?.clusters ?? [], inView?.pins ?? []);
    const area = areaOf(drawing ? [] : parseArea(search.area));
    void import("./engine.ts").then(({ setData }) => {
      if (map.style) setData(map, { area, veil, homes });
    });
  }, [map, view, inView, search, drawing]);

  const spotOf = useEffectEvent(async (ref: string) => {
    // A card has no coordinates. The full home, which hovering over its card requests anyway, has them.
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

  /** Keeps the focus on the map after the press of a button that then disappears. */
  const focusMap = () => map?.getCanvas().focus();
  const zoomInto = (cluster: Cluster) => {
    focusMap();
    goTo(cluster.bounds, true);
  };
  const showAll = () => {
    reached.current = "";
    setMovedAway(false);
    if (search.bbox) change({ bbox: undefined });
    else {
      const bounds = areaBounds(search.area) ?? (answer && homesBounds(answer));
      if (bounds) goTo(bounds);
      reached.current = goal;
    }
  };
  const beginDrawing = async () => {
    // The button keeps the focus until the drawing tool has loaded.
    if (await loadDrawing().catch(() => undefined)) setDrawing(true);
  };
  const stopDrawing = () => {
    setDrawing(false);
    announce({ text: "", area: search.area });
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
    : fault
      ? t[fault]
      : `${summary} ${unplaced > 0 ? t.unplaced(unplaced) : ""}`;

  return (
    // biome-ignore lint/a11y/useSemanticElements: it is not a set of fields
    <div
      ref={group}
      role="group"
      aria-label={t.map}
      aria-busy={isFetching || !(map || fault)}
      className="relative isolate flex size-full min-h-80 flex-col overflow-clip rounded-card border border-line bg-surface print:hidden"
    >
      <div className="relative flex-1 overflow-clip bg-water">
        {map ? null : (
          <DrawnMap search={asked} answer={answer} bounds={initialBounds} toTheEdge={hasBbox} />
        )}
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
                onCluster={zoomInto}
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
              announce={(text) => announce({ text, area: search.area })}
              onArea={(corners) => {
                const area = areaText(corners);
                reached.current = area;
                change({ area, bbox: undefined });
                stopDrawing();
                announce({ text: t.finished(corners.length), area });
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
              announce({ text: t.cleared, area: undefined });
            }}
            onSearchHere={
              movedAway && !asIMove && view
                ? () => {
                    searchIn(view.seen);
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
          // One note at a time: they are in the same place.
          fault={nothing || isError ? undefined : fault}
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
      <MapFooter
        asIMove={asIMove}
        onAsIMove={map ? setAsIMove : undefined}
        unplaced={unplaced}
        attribution={map && basemap ? BASEMAP.attribution : GROUND_ATTRIBUTION}
      />
      {/* Empty while an area is drawn: the counts change with each movement of the map. */}
      <p role="status" className="sr-only">
        {drawing ? "" : status}
      </p>
      <p role="status" className="sr-only">
        {announcement.area === search.area ? announcement.text : ""}
      </p>
    </div>
  );
}
