import { expect, test } from "vitest";
import { readSheet } from "../sheet-file.ts";
import {
  anyProperty,
  ask,
  edit,
  editPage,
  expectFaults,
  hasFocus,
  hydrated,
  listed,
  open,
  openWhole,
  visitor,
} from "./site.ts";

test("a page introduces the place that its editor chose, and that place's list leads to it", async () => {
  const page = "/nerja-malaga-east";
  const mainOf = async (path: string) =>
    /<main[\s\S]*<\/main>/.exec(await (await ask(path)).text())?.[0] ?? "";
  const leads = async (place: string) =>
    (await mainOf(`/property-for-sale/${place}`)).includes(`href="${page}"`);
  const introduces = async () =>
    /href="\/property-for-sale\/([a-z-]+)"[^>]*>All properties in/.exec(await mainOf(page))?.[1];
  expect(await introduces()).toBe("nerja");
  expect([await leads("nerja"), await leads("frigiliana")]).toEqual([true, false]);

  const frigiliana = 6;
  await editPage("nerja-malaga-east", { location: frigiliana });
  try {
    await expect.poll(introduces, { timeout: 60_000 }).toBe("frigiliana");
    await expect.poll(() => leads("frigiliana"), { timeout: 60_000 }).toBe(true);
    await expect.poll(() => leads("nerja"), { timeout: 60_000 }).toBe(false);
  } finally {
    await editPage("nerja-malaga-east", { location: 4 });
  }
  await expect.poll(introduces, { timeout: 60_000 }).toBe("nerja");
});

test("a video loads when it is pressed, and nothing of its service before", async () => {
  const { ref, path } = await anyProperty();
  const video = () => ask(`/api/properties/${ref}`).then((answer) => answer.text());
  await edit(ref, { video_url: "https://vimeo.com/76979871" });
  try {
    await expect.poll(video).toContain('"service":"vimeo"');
    await playsWhenPressed(path);
  } finally {
    await edit(ref, { video_url: null });
  }
  // A later test may use the same home.
  await expect.poll(video).not.toContain('"service":"vimeo"');
});

/** Checks that the video of the home at `path` is only loaded when it is pressed. */
async function playsWhenPressed(path: string): Promise<void> {
  const page = await visitor();
  const section = page.getByRole("region", { name: "Video", exact: true });
  const elsewhere: string[] = [];
  await page.route(/^https:\/\/player\.vimeo\.com\//, (route) => {
    elsewhere.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<title>A film</title>" });
  });
  await expect
    .poll(async () => {
      await open(page, path);
      return section.count();
    })
    .toBe(1);
  const play = section.getByRole("button", { name: "Play the video" });
  await hydrated(play);
  expect(elsewhere).toEqual([]);
  await play.click();
  await section.locator("iframe").waitFor();
  await expect
    .poll(() => elsewhere)
    .toEqual(["https://player.vimeo.com/video/76979871?autoplay=1&dnt=1"]);

  // The player takes the focus once when it loads. A navigation within the page, at which React renders
  // everything and closes the header's menus, must not move the focus again.
  const name = page.getByRole("complementary").getByLabel("Your name");
  await name.focus();
  const menu = page.locator("header details").first();
  await menu.evaluate((details: HTMLDetailsElement) => {
    details.open = true;
    history.pushState({ key: "within" }, "", "#within");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await expect.poll(() => menu.getAttribute("open")).toBe(null);
  expect(await hasFocus(name)).toBe(true);
}

test("a half-written enquiry survives when an editor corrects the home's reference", async () => {
  // No other journey uses this home.
  const home = (await listed("&status=for_sale")).at(-1);
  if (!home) throw new Error("there is no home");
  const { ref, location } = home;
  const page = await visitor();
  await openWhole(page, `/property-for-sale/${location.slug}/${ref}`);
  const panel = page.getByRole("complementary");
  const message = await hydrated(panel.getByLabel("Message"));
  await message.fill("Is there a lift in the house?");
  const corrected = `${ref}9`;
  await edit(ref, { ref: corrected });
  try {
    const form = panel.locator("form");
    await expect.poll(() => form.getAttribute("action")).toContain(`ref=${corrected}`);
    expect(await message.inputValue()).toBe("Is there a lift in the house?");
    expect(await hasFocus(message)).toBe(true);
  } finally {
    await edit(corrected, { ref });
  }
  await expect.poll(async () => (await listed(`&q=${ref}`))[0]?.ref).toBe(ref);
  // Side requests use the old reference until the page has the new one.
  expectFaults(/status of 404 .*comparable/, 0);
});

test("a sheet is cached until its home changes, and is deleted with it", async () => {
  const { path, ref, price } = await anyProperty();
  const address = `${path}/sheet.pdf`;
  const tag = async () => (await ask(address)).headers.get("etag");
  const text = async () => {
    const file = await (await ask(address)).arrayBuffer();
    return (await readSheet(new Uint8Array(file))).text;
  };
  const before = await tag();
  expect(before).not.toBeNull();
  expect(await tag()).toBe(before);
  await edit(ref, { price: price - 5_000 });
  try {
    const written = `€${(price - 5_000).toLocaleString("en-GB")}`;
    await expect.poll(text).toContain(written);
    await edit(ref, { status: "archived" });
    await expect.poll(async () => (await ask(address)).status).toBe(410);
  } finally {
    await edit(ref, { price, status: "published" });
  }
  await expect.poll(async () => (await ask(address)).status).toBe(200);
});
