import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import { type ApiQuery, useAnswer } from "./api-query.ts";

const HOME: ApiQuery<string> = { queryKey: ["/api/properties/AH-1"] };

function Page({ keepIfGone = false }: { keepIfGone?: boolean }) {
  return <p>{useAnswer(HOME, keepIfGone)}</p>;
}

/** Renders a page with a cached home, after a refetch failed with `status`. */
function shown(page: React.ReactNode, status: number): string {
  const client = new QueryClient();
  client.setQueryData(HOME.queryKey, { body: "A villa", sequence: 1, tags: [] });
  const error = new ApiError(status, `answered with ${status}`);
  client.getQueryCache().find(HOME)?.setState({ status: "error", error });
  return renderToStaticMarkup(<QueryClientProvider client={client}>{page}</QueryClientProvider>);
}

test("a resource that is gone shows the error page, unless the page keeps it for a visitor who is typing", () => {
  expect(shown(<Page />, 503)).toBe("<p>A villa</p>");
  expect(() => shown(<Page />, 410)).toThrow("410");
  expect(shown(<Page keepIfGone />, 410)).toBe("<p>A villa</p>");
});
