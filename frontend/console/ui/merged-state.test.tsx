import type { UseQueryResult } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { Merged } from "#console/lib/api/types.ts";
import { MergedState } from "./merged-state.tsx";

const shown = (data: Merged<string>) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <MergedState of={{ data, error: null } as UseQueryResult<Merged<string>>}>
        {(entries) => entries.join()}
      </MergedState>
    </MemoryRouter>,
  );

test("a merged list says whose entries it lacks", () => {
  const why = "query at 10.0.0.8:9081: it does not answer";
  const partial = shown({ entries: ["houseboat"], missing: [why] });
  expect(partial).toContain("houseboat");
  expect(partial).toContain(why);
  expect(shown({ entries: ["houseboat"], missing: [] })).toBe("houseboat");
});
