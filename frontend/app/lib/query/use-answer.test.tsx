import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import { type ApiQuery, useAnswer } from "./api-query.ts";

const HOME: ApiQuery<string> = { queryKey: ["/api/properties/AH-1"] };

function Page({ holds = false }: { holds?: boolean }) {
  return <p>{useAnswer(HOME, holds)}</p>;
}

/** What a page shows that held a home, and whose question was answered so since. */
function shown(page: React.ReactNode, status: number): string {
  const client = new QueryClient();
  client.setQueryData(HOME.queryKey, { body: "A villa", sequence: 1, tags: [] });
  const error = new ApiError(status, `answered with ${status}`);
  client.getQueryCache().find(HOME)?.setState({ status: "error", error });
  return renderToStaticMarkup(<QueryClientProvider client={client}>{page}</QueryClientProvider>);
}

test("what is gone is the error page's, unless the page holds it for who is writing there", () => {
  expect(shown(<Page />, 503)).toBe("<p>A villa</p>");
  expect(() => shown(<Page />, 410)).toThrow("410");
  expect(shown(<Page holds />, 410)).toBe("<p>A villa</p>");
});
