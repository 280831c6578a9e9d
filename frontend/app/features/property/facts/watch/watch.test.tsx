import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { Particulars, PropertyDetail } from "#app/lib/api/types.ts";
import { Watch } from "./watch.tsx";

const section = (particulars: Particulars, path = "/") =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <Watch property={{ title: "A flat", images: [], particulars } as unknown as PropertyDetail} />
    </MemoryRouter>,
  );

test("before anybody presses there is a link to the service's page, and nothing of the service", () => {
  const html = section({ video: { service: "youtube", id: "aqz-KE-bpKQ" } });
  expect(html).toContain('href="https://www.youtube.com/watch?v=aqz-KE-bpKQ"');
  expect(html).not.toMatch(/<iframe|<script|src="https:/);
  expect(html).toContain("It is shown by YouTube and loads when you press.");
});

test("a tour and a video are told apart, in both languages", () => {
  const video = { service: "vimeo", id: "1" } as const;
  const tour = { service: "matterport", id: "2" } as const;
  expect(section({ video, tour })).toContain(">Video and virtual tour</h2>");
  expect(section({ tour }, "/es")).toContain(">Visita virtual</h2>");
  expect(section({ tour }, "/es")).toContain("Lo muestra Matterport");
  expect(section({})).toBe("");
});
