import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { ListLimit } from "./list-limit.tsx";
import { uiMessages } from "./messages.ts";

/** As many are drawn at once. */
const PAGE = 100;
/** So many columns stand beside one another where there is not much room. */
const FEW = 4;

export interface Column<Row> {
  /** Its heading; in a card, the name before what stands in it. */
  head: string;
  cell: (row: Row) => ReactNode;
  /** A figure stands at the right; the title is what a row is called, and a card's heading. */
  kind?: "figure" | "title" | "wide";
}

export interface DataTableProps<Row> {
  caption: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** As many the list could hold, where it is not in pages. */
  most?: number;
  /** What is said where there is nothing. */
  empty: string;
  /** A box to choose each by, before the first column. */
  choose?: ((row: Row) => ReactNode) | undefined;
}

/**
 * A list in rows and columns, which becomes one of cards where its room is narrow. The roles are named,
 * since a table that is not shown as one is none to who hears it.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, keyOf, columns, most, empty, choose } = props;
  const t = useMessages(uiMessages);
  const locale = useLocale();
  const [limit, setLimit] = useState(PAGE);
  const body = useRef<HTMLTableSectionElement>(null);
  const showNext = () => {
    flushSync(() => setLimit(limit + PAGE));
    // The button stands behind them now, or is gone.
    const first = body.current?.rows[limit];
    if (!first) return;
    first.tabIndex = -1;
    first.focus();
  };
  if (rows.length === 0)
    return <p className="rounded-card bg-sunk px-5 py-4 text-muted">{empty}</p>;
  const hidden = rows.length - limit;
  const few = columns.length <= FEW && !choose && columns.every(({ kind }) => kind !== "wide");
  return (
    <div className="console-table-box">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: as cards it would lose them */}
      <table role="table" className="console-table" data-few={few || undefined}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {choose ? (
              <th role="columnheader" scope="col">
                <span className="sr-only">{t.row}</span>
              </th>
            ) : null}
            {columns.map(({ head, kind }) => (
              <th key={head} role="columnheader" scope="col" data-kind={kind}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup">
          {rows.slice(0, limit).map((row) => (
            <tr key={keyOf(row)} role="row">
              {choose ? (
                <td role="cell" className="console-table-choice">
                  {choose(row)}
                </td>
              ) : null}
              {columns.map(({ head, cell, kind }) =>
                kind === "title" ? (
                  <th key={head} role="rowheader" scope="row" data-kind={kind}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={head} role="cell" data-kind={kind} data-head={head}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
      <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-2">
        {hidden > 0 ? (
          <Button look="outline" onClick={showNext}>
            {t.showNext(formatNumber(locale, Math.min(hidden, PAGE)))}
          </Button>
        ) : null}
        {most === undefined ? null : <ListLimit count={rows.length} most={most} />}
      </div>
    </div>
  );
}
