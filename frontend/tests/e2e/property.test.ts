import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addressOf, headOf } from "./html.ts";
import {
  ask,
  comparedHome,
  euros,
  expectFaults,
  hydrated,
  listed,
  open,
  READABLE,
  takesKeys,
  visitor,
  waitForFocus,
  withoutPhotographs,
} from "./site.ts";

interface Home {
  ref: string;
  title: string;
  price: number;
  path: string;
  images: { file: string; width: number; height: number }[];
}

/** A home for sale, not a new build, with enough images. */
let home: Home;

beforeAll(async () => {
  const homes = "&status=for_sale&propertyType=House&propertyType=Apartment";
  for (const { ref, price, title, location } of await listed(homes)) {
    const answer = await ask(`/api/properties/${ref}?locale=en`);
    const { images, newBuild } = (await answer.json()) as Home & { newBuild: boolean };
    const path = `/property-for-sale/${location.slug}/${ref}`;
    if (price && !newBuild && images.length >= 5) {
      home = { ref, title, price, path, images };
      return;
    }
  }
  throw new Error("no home has five images");
});

async function openLightbox(page: Page): Promise<Locator> {
  await open(page, home.path);
  await page.locator("button[popovertarget=photos]").first().click();
  const lightbox = page.getByRole("dialog", { name: home.title });
  await lightbox.locator("picture img").first().waitFor();
  await takesKeys(lightbox);
  return lightbox;
}

const at = (lightbox: Locator, index: number) =>
  lightbox.getByText(`${index} / ${home.images.length}`, { exact: true }).waitFor();

async function zoomOf(lightbox: Locator): Promise<number> {
  return Number(await lightbox.locator("[data-zoom]").getAttribute("data-zoom"));
}

/** Waits until the zoom has settled at `to`. */
async function zoomed(lightbox: Locator, to: number): Promise<void> {
  await expect.poll(() => zoomOf(lightbox)).toBeCloseTo(to, 1);
}

/** Returns the width of the picture at scale 1. */
async function fittedWidth(lightbox: Locator): Promise<number> {
  return lightbox
    .locator("div:not([aria-hidden]) > picture")
    .evaluate((picture) => (picture as HTMLElement).offsetWidth);
}

/** Returns the paths of homes, by their number of images, until there is one for each of `counts`. */
async function homesByImages(counts: readonly number[]): Promise<Map<number, string>> {
  const paths = new Map<number, string>();
  for (let number = 1; counts.some((count) => !paths.has(count)); number += 1) {
    for (const { ref, location } of await listed(`&page=${number}`)) {
      const { images } = (await (await ask(`/api/properties/${ref}?locale=en`)).json()) as Home;
      paths.set(images.length, `/property-for-sale/${location.slug}/${ref}`);
    }
  }
  return paths;
}

test("each image of the mosaic has as many pixels as it fills, however many there are", async () => {
  const counts = [1, 2, 3, 5];
  const paths = await homesByImages(counts);
  const page = await visitor({ viewport: { width: 1440, height: 900 } });
  for (const count of counts) {
    await open(page, paths.get(count) ?? "");
    const images = page.locator(".mosaic img");
    expect(await images.count()).toBe(count);
    for (const image of await images.all()) {
      const pixels = () =>
        image.evaluate((each: HTMLImageElement) => {
          const own = Number(each.getAttribute("width"));
          const loaded = Number(/(\d+)\.\w+$/.exec(each.currentSrc)?.[1] ?? 0);
          // The image covers its box, so that it may be wider than it.
          const drawn = (each.clientHeight * own) / Number(each.getAttribute("height"));
          return Math.min(loaded, own) / Math.max(each.clientWidth, drawn);
        });
      await expect.poll(pixels).toBeGreaterThan(0.95);
    }
  }
});

describe("the images", () => {
  test("open by mouse, go on and back, close, and return the focus", {
    tags: "every-browser",
  }, async () => {
    const page = await visitor();
    const chunks: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/lightbox-")) chunks.push(request.url());
    });
    await open(page, home.path);
    expect(chunks).toEqual([]);
    const opener = page.locator("button[popovertarget=photos]").nth(1);
    await opener.click();
    const lightbox = page.getByRole("dialog", { name: home.title });
    await at(lightbox, 2);
    expect(chunks.length).toBeGreaterThan(0);
    await lightbox.getByRole("button", { name: "Next image" }).click();
    await at(lightbox, 3);
    await lightbox.getByRole("button", { name: "Previous image" }).click();
    await at(lightbox, 2);
    await lightbox.getByRole("button", { name: "Image 5 of" }).click();
    await at(lightbox, 5);
    await lightbox.getByRole("button", { name: "Close the images" }).click();
    await lightbox.waitFor({ state: "hidden" });
    await waitForFocus(opener);
  });

  test("open, move and close by keyboard, and keep the focus inside", async () => {
    const page = await visitor();
    await open(page, home.path);
    const opener = page.locator("button[popovertarget=photos]").first();
    await opener.focus();
    await page.keyboard.press("Enter");
    const lightbox = page.getByRole("dialog", { name: home.title });
    await at(lightbox, 1);
    await takesKeys(lightbox);
    const last = home.images.length;
    for (const [key, index] of [
      ["ArrowLeft", 1],
      ["ArrowRight", 2],
      ["End", last],
      ["ArrowRight", last],
      ["ArrowLeft", last - 1],
      ["Home", 1],
    ] as const) {
      await page.keyboard.press(key);
      await at(lightbox, index);
    }
    await lightbox.getByText(`Image 1 of ${last}:`).waitFor({ state: "attached" });
    for (let press = 0; press < last + 8; press++) {
      await page.keyboard.press(press % 4 === 3 ? "Shift+Tab" : "Tab");
      const inside = await lightbox.evaluate((dialog) => dialog.contains(document.activeElement));
      expect(inside).toBe(true);
    }
    await page.keyboard.press("Escape");
    await lightbox.waitFor({ state: "hidden" });
    await waitForFocus(opener);
  });

  test("are closed by a phone's Back, which stays on the home", async () => {
    const page = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const lightbox = await openLightbox(page);
    const from = page.url();
    // Emulated: the browser treats an Escape that no script receives as the same close request.
    await page.evaluate(() =>
      addEventListener("keydown", (event) => event.stopImmediatePropagation(), true),
    );
    await page.keyboard.press("Escape");
    await lightbox.waitFor({ state: "hidden" });
    const opener = page.locator("button[popovertarget=photos]").first();
    await waitForFocus(opener);
    expect(page.url()).toBe(from);
  });

  test("keep the current thumbnail visible in the row when the screen is turned", async () => {
    const page = await visitor({ viewport: { width: 844, height: 390 } });
    const lightbox = await openLightbox(page);
    // Turned on its side, a phone shows no row.
    await page.keyboard.press("End");
    await at(lightbox, home.images.length);
    await page.setViewportSize({ width: 390, height: 844 });
    const isInSight = () =>
      lightbox.locator("[aria-current=true]").evaluate((thumbnail) => {
        const { left, right } = thumbnail.getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      });
    await expect.poll(isInSight).toBe(true);
  });

  test("have four fifths of a phone's window in landscape", async () => {
    const page = await visitor({ viewport: { width: 844, height: 390 }, hasTouch: true });
    const lightbox = await openLightbox(page);
    const stage = lightbox.locator("div:not([aria-hidden]):has(> picture)");
    expect((await stage.boundingBox())?.height).toBeGreaterThanOrEqual((390 * 4) / 5);
  });

  test("zoom by steps of 0.12, up to three times their size and down to a tenth", async () => {
    const page = await visitor();
    const lightbox = await openLightbox(page);
    await lightbox.getByRole("button", { name: "Zoom in" }).click();
    await zoomed(lightbox, 1.12);
    const natural = (home.images[0]?.width ?? 0) / (await fittedWidth(lightbox));
    const most = Math.max(1, natural) * 3;
    for (let press = 0; press < most / 0.12; press++) await page.keyboard.press("+");
    await zoomed(lightbox, most);
    await page.keyboard.press("+");
    await zoomed(lightbox, most);
    const plus = lightbox.getByRole("button", { name: "Zoom in" });
    expect(await plus.getAttribute("aria-disabled")).toBe("true");
    for (let press = 0; press < most / 0.12 + 2; press++) await page.keyboard.press("-");
    await zoomed(lightbox, 0.1);
    await page.keyboard.press("0");
    await zoomed(lightbox, 1);
  });

  test("follow the wheel, one step in 80 ms", async () => {
    const page = await visitor();
    const lightbox = await openLightbox(page);
    /** Sends wheel events with these timestamps, in milliseconds. */
    const turn = async (...moments: number[]) => {
      for (const moment of moments) {
        await lightbox.locator(".touch-none").evaluate((stage, timeStamp) => {
          const { left, top } = stage.getBoundingClientRect();
          const place = { clientX: left + 300, clientY: top + 200 };
          const options = { deltaY: -100, bubbles: true, cancelable: true, ...place };
          const event = new WheelEvent("wheel", options);
          Object.defineProperty(event, "timeStamp", { value: timeStamp });
          stage.dispatchEvent(event);
        }, moment);
      }
    };
    await turn(1_000, 1_020, 1_040, 1_060, 1_079);
    await zoomed(lightbox, 1.12);
    await turn(1_080);
    await zoomed(lightbox, 1.24);
  });

  test("are swiped by more than 50 pixels", async () => {
    const page = await visitor();
    const lightbox = await openLightbox(page);
    const swipe = async (by: number) => {
      await page.mouse.move(600, 400);
      await page.mouse.down();
      await page.mouse.move(600 + by / 2, 402);
      await page.mouse.move(600 + by, 402);
      await page.mouse.up();
    };
    await swipe(-45);
    await at(lightbox, 1);
    await swipe(-60);
    await at(lightbox, 2);
    await swipe(60);
    await at(lightbox, 1);
    await swipe(60);
    await at(lightbox, 1);
  });

  test("are swiped from an arrow too, which can still be pressed", async () => {
    const page = await visitor({ hasTouch: true, viewport: { width: 390, height: 844 } });
    const lightbox = await openLightbox(page);
    const next = lightbox.getByRole("button", { name: "Next image" });
    const box = await next.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...by: number[]) =>
      devtools.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: by.map((dx) => ({ x: x + dx, y })),
      });
    await touch("touchStart", 0);
    await touch("touchMove", -40);
    await touch("touchMove", -120);
    await touch("touchEnd");
    await at(lightbox, 2);
    await next.click();
    await at(lightbox, 3);
  });

  test("follow two fingers, to one and a half times their size and back to the screen", async () => {
    const page = await visitor({ hasTouch: true, viewport: { width: 390, height: 844 } });
    const lightbox = await openLightbox(page);
    const natural = (home.images[0]?.width ?? 0) / (await fittedWidth(lightbox));
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", apart?: number) =>
      devtools.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          apart === undefined
            ? []
            : [
                { x: 195 - apart / 2, y: 400, id: 1 },
                { x: 195 + apart / 2, y: 400, id: 2 },
              ],
      });
    await touch("touchStart", 20);
    await touch("touchMove", 60);
    await zoomed(lightbox, 3);
    await touch("touchMove", 380);
    await zoomed(lightbox, natural * 1.5);
    await touch("touchEnd");
    await page.keyboard.press("0");
    await touch("touchStart", 240);
    await touch("touchMove", 24);
    await zoomed(lightbox, 0.5);
    await touch("touchEnd");
    await zoomed(lightbox, 1);
  });

  test("show a message when one can't be loaded, and report it to the page", async () => {
    const page = await visitor();
    const broken = home.images.at(-1)?.file;
    await page.route(`**/media/${broken}/**`, (route) =>
      route.fulfill({ contentType: "image/avif", body: "no picture" }),
    );
    const lightbox = await openLightbox(page);
    await page.evaluate(() => {
      addEventListener("picture-error", (event) => {
        document.title = (event as CustomEvent<{ file: string }>).detail.file;
      });
    });
    await page.keyboard.press("End");
    await lightbox.getByText("This image can’t be shown.").first().waitFor();
    expect(await page.title()).toBe(broken);
    await page.keyboard.press("Home");
    await lightbox.getByText("This image can’t be shown.").waitFor({ state: "detached" });
  });
});

test("the reference is copied, and says so for a moment", async () => {
  const page = await visitor({ permissions: ["clipboard-read", "clipboard-write"] });
  await open(page, home.path);
  const date = page.locator("article header time").first();
  const place = () =>
    date.evaluate((element: HTMLElement) => [element.offsetLeft, element.offsetTop]);
  const copy = await hydrated(page.getByRole("button", { name: "Copy the reference" }));
  const before = await place();
  // The test controls the clock, so that a slow machine does not matter.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await copy.click();
  const told = page.getByText("Copied", { exact: true });
  await told.first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(home.ref);
  expect(await place()).toEqual(before);
  await page.clock.runFor(1_600);
  await told.first().waitFor({ state: "detached" });

  await copy.click();
  await told.first().waitFor();
  await page.clock.runFor(1_400);
  expect(await told.first().isVisible()).toBe(true);
  await page.clock.runFor(200);
  await told.first().waitFor({ state: "detached" });
});

test("a reference or a link that the browser does not copy is shown, to be copied by hand", async () => {
  const page = await visitor();
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException("", "NotAllowedError"));
    const clipboard = { value: { writeText: refuse }, configurable: true };
    Object.defineProperty(navigator, "clipboard", clipboard);
  });
  await open(page, home.path);
  await (await hydrated(page.getByRole("button", { name: "Copy the reference" }))).click();
  const toast = page.getByRole("dialog").filter({ hasText: "did not allow copying" });
  await toast.getByText(home.ref, { exact: true }).waitFor();
  expect(await page.getByText("Copied", { exact: true }).count()).toBe(0);

  // Other browsers have no clipboard to refuse.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.getByRole("button", { name: "Share" }).click();
  await page.locator("#share").getByRole("button", { name: "Copy the link" }).click();
  await toast.getByText(home.path).waitFor();
});

test("the page is shared by link, WhatsApp and mail", { tags: "every-browser" }, async () => {
  const page = await visitor({ permissions: ["clipboard-read", "clipboard-write"] });
  await open(page, home.path);
  await page.getByRole("button", { name: "Share" }).click();
  const panel = page.locator("#share");
  // Waited for from the start, since it soon disappears.
  await Promise.all([
    panel.getByText("Copied", { exact: true }).waitFor(),
    panel.getByRole("button", { name: "Copy the link" }).click(),
  ]);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(copied).pathname).toBe(home.path);
  for (const name of ["By WhatsApp", "By email"]) {
    const href = await panel.getByRole("link", { name }).getAttribute("href");
    expect(decodeURIComponent(href ?? "")).toContain(copied);
  }
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
});

test("if a phone's share sheet fails the panel opens, but not if the visitor cancelled it", async () => {
  const page = await visitor({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await page.addInitScript(() => {
    const refusals = ["AbortError", "InvalidStateError", "NotAllowedError"];
    const share = () => Promise.reject(new DOMException("", refusals.shift() ?? "AbortError"));
    Object.assign(navigator, { share });
  });
  await open(page, home.path);
  const button = page.getByRole("button", { name: "Share" });
  const panel = page.locator("#share");
  // Cancelled by the visitor, and refused because it is already open.
  for (let refused = 0; refused < 2; refused += 1) {
    await button.tap();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await panel.isVisible()).toBe(false);
  }
  await button.tap();
  await panel.getByRole("link", { name: "By WhatsApp" }).waitFor();
});

test("the sums follow what is filled in", async () => {
  const page = await visitor();
  await open(page, home.path);
  const purchase = await hydrated(page.getByRole("region", { name: "The purchase" }));
  const due = (amount: string) => purchase.getByText(amount, { exact: true }).waitFor();
  await purchase.getByLabel("Price").fill("400000");
  // With VAT on lawyer, notary and registry, as in the guide.
  for (const amount of ["€28,000", "€458", "€246", "€988", "€33,692"]) await due(amount);
  await purchase.getByLabel("Price").fill("150000");
  await purchase.getByLabel("Rate of transfer tax (ITP)").selectOption("itp_main_home");
  await due("€9,000");
  await purchase.getByLabel("Price").fill("");
  await purchase.getByText("Enter a price.").waitFor();

  const mortgage = page.getByRole("region", { name: "Monthly payments" });
  await mortgage.getByLabel("Price").fill("250.000");
  await mortgage.getByLabel("Your deposit").fill("75,000");
  await mortgage.getByLabel("Years").fill("25");
  await mortgage.getByLabel("Annual interest").fill("3.5");
  await mortgage.getByText("€876", { exact: true }).waitFor();
  // The age limits the term; a shorter one stays as entered.
  await mortgage.getByLabel("Years").fill("15");
  await mortgage.getByLabel("Your age").fill("40");
  expect(await mortgage.getByLabel("Years").inputValue()).toBe("15");
  await mortgage.getByLabel("Your age").fill("62");
  expect(await mortgage.getByLabel("Years").inputValue()).toBe("13");
  await mortgage.getByText(/over 13 years/).waitFor();
  await mortgage.getByLabel("Years").fill("14");
  await mortgage.getByText(/1 to 13 years and interest/).waitFor();
  await mortgage.getByLabel("Your age").fill("80");
  await mortgage.getByText(/by the age of 75, so there is no payment/).waitFor();
  await mortgage.getByLabel("Your age").fill("");
  await mortgage.getByLabel("Your deposit").fill("250001");
  await mortgage.getByText(/^Enter a price, a deposit below the price/).waitFor();
});

const references = (cards: Element[]) => cards.map((card) => card.getAttribute("data-ref"));

const KINDS = [
  {
    kind: "garage",
    en: { about: "About this garage", price: "VAT 21%", notice: "How it is registered" },
    es: { about: "Sobre este garaje", price: "IVA 21 %", notice: "Cómo está inscrito" },
    lent: false,
  },
  {
    kind: "land",
    en: { about: "About this land", price: "VAT 21%", notice: "What may be built" },
    es: { about: "Sobre este terreno", price: "IVA 21 %", notice: "Qué se puede construir" },
    lent: false,
  },
  {
    kind: "office",
    en: { about: "About this office", price: "VAT 21%", notice: "Licence for your business" },
    es: { about: "Sobre esta oficina", price: "IVA 21 %", notice: "Licencia para su negocio" },
    lent: true,
  },
] as const;

test.each(KINDS)("a page of a $kind has the words, notices and sums of its kind", async (it) => {
  const [found] = await listed(`&kind=${it.kind}&status=for_sale`);
  const path = `/property-for-sale/${found?.location.slug}/${found?.ref}`;
  const page = await visitor();
  for (const locale of ["en", "es"] as const) {
    await open(page, locale === "en" ? path : `/es${path}`);
    await page.getByRole("heading", { name: it[locale].about }).waitFor();
    const legal = page.locator("section[aria-labelledby=legal]");
    await legal.getByText(it[locale].notice).waitFor();
    const text = ((await legal.textContent()) ?? "").replaceAll("\u00a0", " ");
    expect(text).toContain(it[locale].price);
    expect(text).not.toMatch(/12\/2023|218\/2005/);
    const money = page.locator("section[aria-labelledby=money]");
    expect(await money.locator("output").count()).toBe(it.lent ? 2 : 1);
    const similar = page.locator("section[aria-labelledby=similar]");
    for (const reference of await similar.locator("[data-ref]").evaluateAll(references)) {
      const { kind } = (await (await ask(`/api/properties/${reference}`)).json()) as {
        kind: string;
      };
      expect([reference, kind]).toEqual([reference, it.kind]);
    }
    // Plots and garages have no energy rating.
    const energy = page.locator("section[aria-labelledby=energy]");
    expect(await energy.count()).toBe(it.kind === "office" ? 1 : 0);
  }
});

test("each card tells the energy rating of its home, and those of land and garages none", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  for (const [query, told] of [
    ["propertyType=House", /Energy( [A-G]|: exempt)/],
    ["kind=land", null],
    ["kind=garage", null],
  ] as const) {
    await page.goto(`/property-for-sale?${query}`, READABLE);
    const cards = await page.locator("article.card").allTextContents();
    expect(cards.length).toBeGreaterThan(0);
    for (const card of cards) {
      if (told) expect(card).toMatch(told);
      else expect(card).not.toContain("Energy");
    }
  }
});

test("a new build shows VAT and the builder's guarantees, not the resale's tax", async () => {
  const found = (await listed("&kind=penthouse&status=for_sale")).find(({ newBuild }) => newBuild);
  const page = await visitor();
  await open(page, `/property-for-sale/${found?.location.slug}/${found?.ref}`);
  const panel = page.getByRole("complementary");
  await panel.getByText(/VAT\s10% and AJD\s1\.2%/).waitFor();
  expect(await panel.getByText(/ITP/).count()).toBe(0);
  await page.getByText("Building guarantee").waitFor();
  const money = page.locator("section[aria-labelledby=money]");
  await money.getByText("VAT (IVA) on a new home (10%)").waitFor();
  expect(await money.locator("dl").getByText(/ITP/).count()).toBe(0);
});

test("on a phone the price is under the title, and the ways to reach us in one order", async () => {
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  await open(page, home.path);
  const price = new Intl.NumberFormat("en-GB").format(home.price);
  const told = page.locator("article header").getByText(`€${price}`, { exact: true });
  expect(await told.isVisible()).toBe(true);
  const bar = page.locator("main .sticky").filter({ has: page.locator("a[href='#ask']") });
  const names = await bar
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.ariaLabel ?? link.textContent));
  expect(names).toEqual(["Enquire", "WhatsApp", "Call us"]);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await told.isVisible()).toBe(false);
});

test("a home's description comes before the form: above it on a phone, beside it on a desktop", async () => {
  const page = await visitor({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  // Measuring needs the styles, so the test waits for the load, without photographs to keep it short.
  await withoutPhotographs(page);
  await page.goto(home.path);
  // In the order of the document, as a screen reader reads them.
  const parts = page.locator(
    "article h1, article .facts, #description, #features, article .enquiry-panel, #money",
  );
  const tops = await parts.evaluateAll((all) =>
    all.map((part) => part.getBoundingClientRect().top),
  );
  expect(tops).toHaveLength(6);
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
  const header = page.locator("article header");
  expect(await header.getByText(/^The price does not include taxes/).isVisible()).toBe(true);
  const panel = page.getByRole("complementary");
  expect(await panel.getByRole("heading").first().textContent()).toBe("Would you like to see it?");
  const top = async () => (await panel.boundingBox())?.y ?? Number.NaN;
  expect(await top()).toBeGreaterThan(844);
  await page.getByRole("link", { name: "Enquire", exact: true }).click();
  await expect.poll(async () => (await top()) > 0 && (await top()) < 422).toBe(true);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(home.path);
  const [text, beside] = await Promise.all(
    [page.locator("#description"), panel].map((part) => part.boundingBox()),
  );
  if (!text || !beside) throw new Error("a part is not shown");
  expect(beside.x).toBeGreaterThanOrEqual(text.x + text.width);
  expect(beside.y).toBeLessThan(text.y);
  // Nothing moves when the panel arrives, which is last on a slow connection.
  await panel.evaluate((part) => part.remove());
  expect(await page.locator("#description").boundingBox()).toEqual(text);
});

test("in a low window the panel fades out where it can be scrolled, and its end is readable", async () => {
  const page = await visitor({ viewport: { width: 1280, height: 500 } });
  await open(page, home.path);
  const panel = page.getByRole("complementary");
  /** How far its last link reaches below the start of the fade. */
  const faded = () =>
    panel.evaluate((box) => {
      const last = [...box.querySelectorAll("a")].at(-1)?.getBoundingClientRect();
      const fade = Number.parseFloat(getComputedStyle(box, "::after").height);
      return (last?.bottom ?? Number.NaN) - (box.getBoundingClientRect().bottom - fade);
    });
  expect(await faded()).toBeGreaterThan(0);
  await panel.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  expect(await faded()).toBeLessThanOrEqual(0);
});

test("on a phone a reserved home says so above its description", async () => {
  const [reserved] = await listed("&status=under_offer");
  const page = await visitor({ viewport: { width: 390, height: 844 } });
  const path = `/property-for-sale/${reserved?.location.slug}/${reserved?.ref}`;
  for (const [address, word, enquire] of [
    [path, "Reserved", "Enquire"],
    [`/es${path}`, "Reservado", "Contactar"],
  ] as const) {
    await open(page, address);
    const header = page.locator("article header");
    expect(await header.getByText(word, { exact: true }).isVisible()).toBe(true);
    const way = page.getByRole("link", { name: enquire, exact: true });
    expect(await way.getAttribute("href")).toBe("#ask");
  }
});

test("without a script the sums are shown, and sharing and asking work", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(home.path, READABLE);
  const mortgage = page.getByRole("region", { name: "Monthly payments" });
  // The styles, which hide what needs a script, may load later than the text.
  await mortgage.waitFor();
  expect(await mortgage.locator("output").textContent()).toMatch(/€[\d,]+ a month/);
  expect(await mortgage.getByRole("textbox").count()).toBe(0);
  await page.getByRole("button", { name: "Share" }).click();
  await page.locator("#share").getByRole("link", { name: "By email" }).waitFor();
  await page.keyboard.press("Escape");
  const whatsapp = page.getByRole("complementary").getByRole("link", { name: "WhatsApp" });
  expect(await whatsapp.getAttribute("href")).toContain(home.ref);
});

test("a home's price is compared with those of homes like it, in the document too", async () => {
  const found = await comparedHome("&status=for_sale&propertyType=Apartment");
  if (!found) throw new Error("no flat is comparable with others");
  const { homes, path } = found;
  const page = await visitor();
  await open(page, path);
  const part = page.getByRole("region", { name: "How the price compares" });
  await part.getByText(`${homes.homes} comparable homes in ${homes.location.name}`).waitFor();
  const text = (await part.textContent()) ?? "";
  for (const amount of [homes.lowest, homes.highest, homes.median, homes.price]) {
    expect(text).toContain(euros(amount));
  }
  expect(text).toMatch(/this one is (\d+% (below|above)|level with) that/);
  // The drawing repeats two of these amounts.
  await part.locator("svg circle").waitFor();
  const bare = await visitor({ javaScriptEnabled: false });
  await bare.goto(`/es${path}`, READABLE);
  const section = bare.getByRole("region", { name: "El precio, comparado" });
  await section.getByText(`${homes.homes} viviendas comparables`).waitFor();
  await expect.poll(() => section.locator("svg").isVisible()).toBe(false);
  expect(await comparedHome("&kind=garage")).toBe(undefined);
});

test("the beginning of a long price history is requested when it is opened", async () => {
  const [{ ref = "" } = {}] = await listed("&status=for_sale");
  const page = await visitor();
  const history = Array.from({ length: 30 }, (_, day) => ({
    at: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    price: 500_000 - day * 1_000,
    status: "for_sale",
  }));
  let isAway = true;
  await page.route(new RegExp(`/api/properties/${ref}(\\?|$)`), async (route) => {
    const isOfThePage = route.request().url().includes("locale=");
    if (!isOfThePage && isAway) return route.fulfill({ status: 404, json: {} });
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), history } });
  });
  await open(page, "/property-for-sale?status=for_sale");
  await page.locator(`article[data-ref="${ref}"] h2 a`).click();
  const part = page.getByRole("region", { name: "How the price has moved" });
  await part.getByText("€471,000").waitFor();
  expect(await part.getByRole("listitem").count()).toBe(3);
  const earlier = part.getByText("Earlier changes (27)");
  await earlier.click();
  await part.getByText("can’t be loaded just now").waitFor();
  expectFaults(/\b404\b/);
  await earlier.click();
  isAway = false;
  await earlier.click();
  await part.getByText("€500,000").waitFor();
  expect(await part.getByRole("listitem").count()).toBe(30);
});

test.each(["", "/es"])(
  "it prints on one sheet, with its photographs side by side (%s)",
  async (prefix) => {
    const page = await visitor({ colorScheme: "dark" });
    await open(page, prefix + home.path);
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: "print" });
    const columns = await page
      .locator(".mosaic")
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(" "));
    expect(columns).toHaveLength(3);
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(sheets.match(/\/Type\s*\/Page\b/g)?.length).toBe(1);
  },
);

test("a sold home stays, with its badge, and without an enquiry form", async () => {
  const [sold] = await listed("&status=sold");
  const page = await visitor();
  await open(page, `/property-for-sale/${sold?.location.slug}/${sold?.ref}`);
  const panel = page.getByRole("complementary");
  await panel.getByText("Sold", { exact: true }).waitFor();
  expect(await panel.getByRole("link", { name: "WhatsApp" }).count()).toBe(0);
  await panel.getByRole("link", { name: "Homes like this one" }).click();
  await page.getByRole("heading", { name: "Homes like this one" }).waitFor();
  expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
});

test("search engines find the listing, its offer and its breadcrumbs", async () => {
  const html = await (await ask(home.path)).text();
  const [listing, crumbs] = headOf(html).things;
  expect(listing).toMatchObject({
    "@type": "RealEstateListing",
    name: home.title,
    about: { identifier: home.ref },
    offers: { "@type": "Offer", price: home.price, priceCurrency: "EUR" },
  });
  expect(crumbs?.["@type"]).toBe("BreadcrumbList");
  const { itemListElement: places } = crumbs as unknown as { itemListElement: { item: string }[] };
  expect(addressOf(places.at(-1)?.item)).toBe(home.path);
});
