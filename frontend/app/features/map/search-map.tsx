import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import { searchQuery } from "#app/features/search/queries.ts";
import { type Search, searchPath } from "#app/features/search/search-params.ts";
import type { Answer } from "#app/lib/api/answer.ts";
import type { PropertyCardList } from "#app/lib/api/types.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { type Bounds, project, within } from "#app/lib/map/projection.ts";
import { FRAME } from "#app/lib/map/shore.gen.ts";
import { GROUND_ATTRIBUTION } from "#app/lib/map/towns.ts";
import { useMapTiles } from "#app/lib/site/map-tiles.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { areaBounds, areaText, bboxText, readArea, readBbox } from "./address.ts";
import { AreaShape } from "./area-shape.tsx";
import { type Camera, seen } from "./camera.ts";
import { Controls } from "./controls.tsx";
import { Drawing } from "./drawing.tsx";
import { Foot } from "./foot.tsx";
import { gathered } from "./gather.ts";
import { moveByKey } from "./gestures.ts";
import { Ground } from "./ground.tsx";
import { linkHomes } from "./linked.ts";
import { type Cluster, homesBounds, mapQuery } from "./map-query.ts";
import { Markers } from "./markers.tsx";
import { mapMessages } from "./messages.ts";
import { Motion } from "./motion.ts";
import { Names } from "./names.tsx";
import { Tiles } from "./tiles.tsx";
import { useMapSearch } from "./use-map-search.ts";
import { useStage } from "./use-stage.ts";

/** Before the first homes are here: the coast between Torre del Mar and Nerja. */
const START: Camera = { ...project({ lat: 36.78, lng: -3.95 }), zoom: 11 };
const WORLD: Bounds = { west: -180, south: -85, east: 180, north: 85 };
/** A visitor who moves on within this time is asked for once. */
const PAUSE_MS = 300;

/**
 * The homes of a search on a map that fills its parent. Where it is moved to, and an area drawn on
 * it, become part of the page's address, which the list follows.
 */
export default function SearchMap({ search: given }: { search: Search }) {
  const t = useMessages(mapMessages);
  const locale = useLocale();
  const client = useQueryClient();
  const tiles = useMapTiles();
  const help = useId();
  const { search, change } = useMapSearch(given);
  const [motion] = useState(() => new Motion(START, tiles ? WORLD : FRAME));
  const [zoom, setZoom] = useState<number>();
  const [asIMove, setAsIMove] = useState(true);
  const [strayed, setStrayed] = useState(false);
  const [drawing, setDrawing] = useState(false);
  const [said, say] = useState("");
  const surface = useRef<HTMLDivElement>(null);
  const [panel, setPanel] = useState<HTMLDivElement | null>(null);
  const drawButton = useRef<HTMLButtonElement>(null);

  const { data, isPlaceholderData, isFetching, isError, refetch } = useQuery({
    ...mapQuery(locale, search, zoom ?? 0),
    enabled: zoom !== undefined,
    placeholderData: keepPreviousData,
  });
  const answer = data?.body;

  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What the map was last led to, or moved to by hand: it is led there once. */
  const reached = useRef<string>(undefined);
  const searchSeen = useEffectEvent(() => {
    const bbox = bboxText(seen(motion.camera, motion.size));
    reached.current = bbox;
    setStrayed(false);
    change({ bbox });
  });

  const {
    ref: stage,
    rest,
    hinting,
  } = useStage(motion, (camera, _, mover) => {
    clearTimeout(pause.current);
    const asked = Math.round(camera.zoom);
    if (mover === "visitor" && asIMove && !drawing) {
      pause.current = setTimeout(() => {
        setZoom(asked);
        searchSeen();
      }, PAUSE_MS);
    } else {
      setZoom(asked);
      if (mover === "visitor" && !drawing) setStrayed(true);
    }
  });
  useEffect(() => () => clearTimeout(pause.current), []);

  const goal =
    search.bbox ?? search.area ?? searchPath({ ...search, page: 1, sort: "newest", view: "list" });
  const ready = rest !== undefined;
  useEffect(() => {
    if (!ready || reached.current === goal) return;
    const told = readBbox(search.bbox) ?? areaBounds(search.area);
    if (!told && (!answer || isPlaceholderData)) return;
    const bounds = told ?? (answer && homesBounds(answer));
    if (bounds) motion.fit(bounds, "page", reached.current !== undefined);
    reached.current = goal;
  }, [ready, goal, search, answer, isPlaceholderData, motion]);

  const clusterOf = useEffectEvent((ref: string) => {
    const { queryKey } = searchQuery(locale, given);
    const list = client.getQueryData<Answer<PropertyCardList>>(queryKey)?.body;
    const spot = list?.items.find((home) => home.ref === ref)?.coordinates;
    const index = spot ? inView?.clusters.findIndex(({ bounds }) => within(bounds, spot)) : -1;
    return index === undefined || index < 0
      ? undefined
      : stage.current?.querySelectorAll("[data-marker*='@']")[index];
  });
  useEffect(() => {
    if (stage.current) return linkHomes(stage.current, (ref) => clusterOf(ref));
  }, [stage]);

  const enter = (cluster: Cluster) => {
    // The button goes as its homes come apart: the focus stays on the map.
    surface.current?.focus();
    motion.fit(cluster.bounds, "visitor");
  };
  const showWhole = () => {
    reached.current = "";
    setStrayed(false);
    if (search.bbox) change({ bbox: undefined });
    else {
      const bounds = areaBounds(search.area) ?? (answer && homesBounds(answer));
      if (bounds) motion.fit(bounds, "page");
      reached.current = goal;
    }
  };
  const stopDrawing = () => {
    setDrawing(false);
    setTimeout(() => drawButton.current?.focus());
  };

  const inView = useMemo(() => {
    if (!rest || !answer) return undefined;
    const { camera, size } = rest;
    const around = seen(camera, { width: size.width * 1.5, height: size.height * 1.5 });
    const bounds = seen(camera, size);
    const all = gathered(answer.clusters, answer.pins, camera.zoom);
    return {
      clusters: all.clusters.filter((cluster) => within(around, cluster)),
      pins: all.pins.filter((pin) => within(around, pin)),
      groups: all.clusters.filter((cluster) => within(bounds, cluster)).length,
      singles: all.pins.filter((pin) => within(bounds, pin)).length,
    };
  }, [rest, answer]);
  const markers = useMemo(
    () => (inView && !drawing ? [...inView.clusters, ...inView.pins] : []),
    [inView, drawing],
  );
  const area = useMemo(() => readArea(search.area).map(project), [search.area]);
  const unplaced = answer?.unplaced ?? 0;
  const summary =
    answer && inView ? t.summary(t.count(answer.total), inView.groups, inView.singles) : t.loading;

  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields
    <div
      role="group"
      aria-label={t.map}
      aria-busy={isFetching}
      className="relative isolate flex size-full min-h-80 flex-col overflow-clip rounded-card border border-line bg-surface print:hidden"
    >
      <div
        ref={stage}
        className="relative flex-1 touch-none overflow-clip bg-canvas select-none data-dragging:cursor-grabbing"
      >
        <Ground />
        {tiles && rest ? <Tiles url={tiles.url} camera={rest.camera} size={rest.size} /> : null}
        {rest && !tiles ? <Names camera={rest.camera} size={rest.size} markers={markers} /> : null}
        {drawing ? null : <AreaShape points={area} />}
        <div
          ref={surface}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
          tabIndex={0}
          role="application"
          aria-label={t.surface}
          aria-describedby={help}
          onKeyDown={(event) => {
            if (moveByKey(motion, event)) event.preventDefault();
          }}
          className="absolute inset-0 cursor-grab outline-offset-[-4px] in-data-dragging:cursor-grabbing"
        />
        <p id={help} hidden>
          {t.help}
        </p>
        {inView && !drawing ? (
          <Markers
            clusters={inView.clusters}
            pins={inView.pins}
            stale={isPlaceholderData}
            onCluster={enter}
          />
        ) : null}
        <Controls motion={motion} onWhole={showWhole} />
        {drawing && panel ? (
          <Drawing
            motion={motion}
            panel={panel}
            rest={rest}
            say={say}
            onArea={(corners) => {
              const text = areaText(corners);
              reached.current = text;
              change({ area: text, bbox: undefined });
              stopDrawing();
            }}
            onCancel={stopDrawing}
          />
        ) : (
          <div data-still="" className="absolute top-3 left-3 z-20 flex flex-col items-start gap-2">
            <button
              ref={drawButton}
              type="button"
              className={FLOATING}
              onClick={() => {
                if (search.area === undefined) return setDrawing(true);
                change({ area: undefined });
                say(t.cleared);
              }}
            >
              {search.area === undefined ? t.draw : t.clear}
            </button>
            {strayed && !asIMove ? (
              <button
                type="button"
                className={`${buttonStyle.primary} text-sm shadow-[0_2px_8px_var(--shadow)]`}
                onClick={() => {
                  searchSeen();
                  surface.current?.focus();
                }}
              >
                {t.searchHere}
              </button>
            ) : null}
          </div>
        )}
        {isError ? (
          <div data-still="" className={`${NOTE} flex items-center gap-3`}>
            {t.failed}
            <button type="button" className="text-link" onClick={() => void refetch()}>
              {t.again}
            </button>
          </div>
        ) : null}
        {hinting ? (
          <p aria-hidden="true" className={`${NOTE} pointer-events-none`}>
            {t.wheel}
          </p>
        ) : null}
      </div>
      <Foot
        asIMove={asIMove}
        onAsIMove={setAsIMove}
        unplaced={unplaced}
        attribution={tiles?.attribution ?? GROUND_ATTRIBUTION}
        drawing={drawing}
        panelRef={setPanel}
      />
      <p role="status" className="sr-only">
        {summary} {unplaced > 0 ? t.unplaced(unplaced) : ""} {said}
      </p>
    </div>
  );
}

const FLOATING =
  "min-h-11 rounded-full border border-line bg-surface px-4 text-sm font-medium shadow-[0_2px_8px_var(--shadow)] hover:bg-sunk";
const NOTE =
  "absolute inset-x-3 top-1/2 z-30 mx-auto w-fit max-w-sm -translate-y-1/2 rounded-card border border-line bg-surface px-5 py-3 text-center text-sm shadow-[0_2px_8px_var(--shadow)]";
