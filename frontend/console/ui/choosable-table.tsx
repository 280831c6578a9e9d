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
  /** The row's name, at its checkbox and in the confirmation. */
  nameOf: (row: Row) => string;
  /** The actions for the chosen rows. Each takes the props `common` too. */
  actions: (
    chosen: readonly Row[],
    common: Pick<ConfirmActionProps<unknown>, "disabled" | "ids" | "onDone">,
  ) => ReactNode;
}

/** A table whose rows can be chosen and acted on together, by operators who may act. */
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

/** Holds the chosen rows. */
function useChoice(listed: readonly string[]): Choice {
  const [stored, set] = useState(NONE);
  const chosen = stillListed(stored, listed);
  // A row that leaves the list and returns is not chosen.
  if (chosen !== stored) set(chosen);
  return { chosen, listed, set };
}

/** The checkbox of a row. */
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

/** The bar above the list: a checkbox for all rows, the number of chosen ones, and the actions. */
function ChoiceBar({ of, children }: { of: Choice; children: ReactNode }) {
  const { chosen, listed, set } = of;
  const t = useMessages(uiMessages);
  const locale = useLocale();
  const together = Math.min(listed.length, MAX_AT_ONCE);
  const count = formatNumber(locale, together);
  return (
    // With an empty list the bar is hidden but stays mounted: its dialog may be open.
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
