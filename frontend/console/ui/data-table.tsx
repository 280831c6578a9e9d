import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { ListLimit } from "./list-limit.tsx";
import { uiMessages } from "./messages.ts";

/** The number of rows that are drawn at once. */
const PAGE_SIZE = 100;
/** Up to this many columns stay a table in a narrower space. */
const FEW_COLUMNS = 4;

export interface Column<Row> {
  /** The heading of the column; in a card, the label before the value. */
  head: string;
  cell: (row: Row) => ReactNode;
  /** A `figure` is right-aligned; the `title` is the row's name, and a card's heading. */
  kind?: "figure" | "title" | "wide";
}

export interface DataTableProps<Row> {
  caption: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** The maximum length of the list, if it is not paged. */
  max?: number;
  /** The text for an empty list. */
  empty: string;
  /** Renders a row's checkbox, before the first column. */
  choose?: ((row: Row) => ReactNode) | undefined;
}

/**
 * A table that becomes a list of cards in a narrow space. The roles are explicit, since screen readers
 * don't take a table that is not displayed as one for a table.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, keyOf, columns, max, empty, choose } = props;
  const t = useMessages(uiMessages);
  const locale = useLocale();
  const [limit, setLimit] = useState(PAGE_SIZE);
  const body = useRef<HTMLTableSectionElement>(null);
  const showNext = () => {
    flushSync(() => setLimit(limit + PAGE_SIZE));
    // The button is now below the new rows, or gone.
    const first = body.current?.rows[limit];
    if (!first) return;
    first.tabIndex = -1;
    first.focus();
  };
  if (rows.length === 0)
    return <p className="rounded-card bg-sunk px-5 py-4 text-muted">{empty}</p>;
  const hidden = rows.length - limit;
  const hasFewColumns =
    columns.length <= FEW_COLUMNS && !choose && columns.every(({ kind }) => kind !== "wide");
  return (
    <div className="console-table-box">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: as cards it would lose them */}
      <table role="table" className="console-table" data-few={hasFewColumns || undefined}>
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
            {t.showNext(formatNumber(locale, Math.min(hidden, PAGE_SIZE)))}
          </Button>
        ) : null}
        {max === undefined ? null : <ListLimit count={rows.length} max={max} />}
      </div>
    </div>
  );
}
