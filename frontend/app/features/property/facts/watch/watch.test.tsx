import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { Embed, Particulars, PropertyDetail } from "#app/lib/api/types.ts";
import { EMBED_SERVICES } from "#app/lib/property/embeds.ts";
import { Watch } from "./watch.tsx";

const section = (particulars: Particulars, path = "/") =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <Watch property={{ title: "A flat", images: [], particulars } as unknown as PropertyDetail} />
    </MemoryRouter>,
  );

test("before a press there is only a link to the service's page, and nothing is loaded from it", () => {
  const html = section({ video: { service: "youtube", id: "aqz-KE-bpKQ" } });
  expect(html).toContain('href="https://www.youtube.com/watch?v=aqz-KE-bpKQ"');
  expect(html).not.toMatch(/<iframe|<script|src="https:/);
  expect(html).toContain("It is on YouTube and loads when you press the button.");
});

test("a tour and a video have different texts, in both languages", () => {
  const video = { service: "vimeo", id: "1" } as const;
  const tour = { service: "matterport", id: "2" } as const;
  expect(section({ video, tour })).toContain(">Video and virtual tour</h2>");
  expect(section({ tour }, "/es")).toContain(">Visita virtual</h2>");
  expect(section({ tour }, "/es")).toContain("Lo muestra Matterport");
  expect(section({})).toBe("");
});

/** For each service: the id of a video or tour, its page, and the address of our frame. */
const ADDRESSES: Record<Embed["service"], { id: string; page: string; frame: string }> = {
  youtube: {
    id: "aqz-KE-bpKQ",
    page: "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    frame: "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1",
  },
  vimeo: {
    id: "76979871",
    page: "https://vimeo.com/76979871",
    frame: "https://player.vimeo.com/video/76979871?autoplay=1&dnt=1",
  },
  matterport: {
    id: "SxQL3iGyoDo",
    page: "https://my.matterport.com/show/?m=SxQL3iGyoDo",
    frame: "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1",
  },
};

test("each service plays in its most privacy-friendly frame", () => {
  for (const [service, { page, frame }] of Object.entries(EMBED_SERVICES)) {
    const { id, ...addresses } = ADDRESSES[service as Embed["service"]];
    expect({ page: page(id), frame: frame(id) }).toEqual(addresses);
  }
});
