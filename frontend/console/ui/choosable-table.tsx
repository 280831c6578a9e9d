import { type ReactNode, useState } from "react";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { MAX_AT_ONCE } from "#console/lib/api/queries.ts";
import { allOf, type Chosen, NONE, stillListed, toggled } from "#console/lib/chosen.ts";
import { useMayAct } from "#console/lib/session.ts";
import type { ConfirmActionProps } from "./confirm-action.tsx";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { uiMessages } from "./messages.ts";

interface ChoosableTableProps<Row> extends Omit<DataTableProps<Row>, "choose"> {
  /** What a row is called where it is chosen, and where it is asked about. */
  nameOf: (row: Row) => string;
  /** What can be done with the chosen rows: each action takes `common` too. */
  actions: (
    chosen: readonly Row[],
    common: Pick<ConfirmActionProps<unknown>, "disabled" | "ids" | "onDone">,
  ) => ReactNode;
}

/** A list of whose rows some can be chosen and acted on together, by who may act. */
export function ChoosableTable<Row>({ nameOf, actions, ...table }: ChoosableTableProps<Row>) {
  const { rows, keyOf } = table;
  const mayAct = useMayAct();
  const choice = useChoice(rows.map(keyOf));
  if (!mayAct) return <DataTable {...table} />;
  const chosen = rows.filter((row) => choice.chosen.has(keyOf(row)));
  const common = {
    disabled: chosen.length === 0,
    ids: chosen.map(nameOf),
    onDone: () => choice.set(NONE),
  };
  return (
    <>
      <ChoiceBar of={choice}>{actions(chosen, common)}</ChoiceBar>
      <DataTable
        {...table}
        choose={(row) => <ChooseBox of={choice} row={keyOf(row)} name={nameOf(row)} />}
      />
    </>
  );
}

interface Choice {
  chosen: Chosen;
  listed: readonly string[];
  set: (chosen: Chosen) => void;
}

/** What is chosen of what is listed. */
function useChoice(listed: readonly string[]): Choice {
  const [kept, set] = useState(NONE);
  const chosen = stillListed(kept, listed);
  // What comes back later was not chosen by anybody.
  if (chosen !== kept) set(chosen);
  return { chosen, listed, set };
}

/** The box of one row. */
function ChooseBox({ of, row, name }: { of: Choice; row: string; name: string }) {
  const t = useMessages(uiMessages);
  const ticked = of.chosen.has(row);
  return (
    <label className="choose-box">
      <input
        type="checkbox"
        className="tick"
        checked={ticked}
        disabled={!ticked && of.chosen.size >= MAX_AT_ONCE}
        onChange={() => of.set(toggled(of.chosen, row, MAX_AT_ONCE))}
      />
      <span className="sr-only">{t.choose(name)}</span>
    </label>
  );
}

/** Above the list: chooses all of it, says how many are chosen, and holds what can be done with them. */
function ChoiceBar({ of, children }: { of: Choice; children: ReactNode }) {
  const { chosen, listed, set } = of;
  const t = useMessages(uiMessages);
  const locale = useLocale();
  const together = Math.min(listed.length, MAX_AT_ONCE);
  const count = formatNumber(locale, together);
  return (
    // Where nothing is listed any more it is hidden and not gone: its dialog may be open.
    <fieldset className="choice-bar" hidden={listed.length === 0}>
      <legend className="sr-only">{t.actions}</legend>
      <label className="choose-box gap-2.5">
        <input
          type="checkbox"
          className="tick"
          checked={chosen.size === together}
          onChange={() => set(chosen.size === together ? NONE : allOf(listed, MAX_AT_ONCE))}
        />
        {together < listed.length ? t.chooseFirst(count) : t.chooseAll(together, count)}
      </label>
      <p role="status" className="text-sm text-muted tabular-nums">
        {chosen.size === 0 ? "" : t.chosen(chosen.size)}
        {chosen.size >= MAX_AT_ONCE ? ` · ${t.tooMany(formatNumber(locale, MAX_AT_ONCE))}` : ""}
      </p>
      <div className="flex flex-wrap gap-2 sm:ml-auto">{children}</div>
    </fieldset>
  );
}
