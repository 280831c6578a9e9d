import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { LIST_LIMITS, notFoundQuery } from "#console/lib/api/queries.ts";
import type { NotFoundPath } from "#console/lib/api/types.ts";
import { useMakesRedirects, useMayAct } from "#console/lib/session.ts";
import { type Column, DataTable } from "#console/ui/data-table.tsx";
import { MergedState } from "#console/ui/merged-state.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { MakeRedirect } from "./make-redirect.tsx";
import { visitorMessages } from "./messages.ts";

/** Paths that were not found, each with a button that makes a redirect. */
export function NotFound() {
  const t = useMessages(visitorMessages);
  const locale = useLocale();
  const mayAct = useMayAct();
  const makesRedirects = useMakesRedirects();
  // One dialog for all rows: the list may lose the row while the dialog is open.
  const [from, setFrom] = useState("");
  const [isOpen, setOpen] = useState(false);
  const openDialog = (path: string) => {
    setFrom(path);
    setOpen(true);
  };
  const columns: Column<NotFoundPath>[] = [
    { head: t.path, kind: "title", cell: ({ path }) => path },
    { head: t.count, kind: "figure", cell: ({ count }) => formatNumber(locale, count) },
    { head: t.last, cell: ({ lastAt }) => <Moment at={lastAt} /> },
    {
      head: t.from,
      cell: ({ referrer }) => referrer ?? <span className="text-muted">{t.nowhere}</span>,
    },
    ...(mayAct && makesRedirects
      ? [
          {
            head: t.act,
            cell: ({ path }: NotFoundPath) => (
              <Button look="outline" aria-haspopup="dialog" onClick={() => openDialog(path)}>
                {t.redirect}
                <span className="sr-only"> {path}</span>
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Part
      title={t.missing}
      lead={mayAct && !makesRedirects ? `${t.missingLead} ${t.madeElsewhere}` : t.missingLead}
    >
      <MergedState of={useQuery(notFoundQuery)}>
        {(paths) => (
          <DataTable
            caption={t.missing}
            rows={paths}
            keyOf={({ path }) => path}
            columns={columns}
            max={LIST_LIMITS.notFound}
            empty={t.missingNone}
          />
        )}
      </MergedState>
      {from === "" ? null : <MakeRedirect key={from} from={from} opened={[isOpen, setOpen]} />}
    </Part>
  );
}
