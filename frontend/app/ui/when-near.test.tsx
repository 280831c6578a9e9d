import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { WhenNear } from "./when-near.tsx";

test("the server writes what sleeps in the browser, in its own element", () => {
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <WhenNear as="section" className="wide">
          <a href="/a">A</a>
        </WhenNear>
      ),
    },
  ]);
  expect(renderToStaticMarkup(<Stub />)).toBe('<section class="wide"><a href="/a">A</a></section>');
});
