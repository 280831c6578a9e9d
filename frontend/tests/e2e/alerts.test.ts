import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeFaults } from "./axe.ts";
import { type Mail, mailsTo, mailTo, newAddress } from "./mail.ts";
import {
  alive,
  anyProperty,
  edit,
  editPrice,
  euros,
  expectFaults,
  listed,
  open,
  takesKeys,
  visitor,
} from "./site.ts";

const PHONE = { width: 390, height: 844 };

/** Returns the path and query of the link in `mail` whose path is `start`. */
function linkIn({ text }: Mail, start: string): string {
  const link = text.match(/https?:\S+/g)?.find((url) => new URL(url).pathname === start);
  if (!link) throw new Error(`no link to ${start}: ${text}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Focuses the element with this role and name, and presses it by key. */
async function press(page: Page, role: "link" | "button", name: string): Promise<void> {
  await page.getByRole(role, { name, exact: true }).focus();
  await page.keyboard.press("Enter");
}

test("a search is saved without an account, sends a mail when a price falls, and is ended", async () => {
  const { ref, price, location, path } = await anyProperty();
  const address = newAddress();
  const page = await visitor({ viewport: PHONE });
  await open(page, `/property-for-sale/${location.slug}`);
  await press(page, "link", "Save this search");
  await page.getByRole("heading", { name: "Save this search" }).waitFor();
  await page.getByText(`Properties for sale in ${location.name}`, { exact: true }).waitFor();
  await page.getByText("because you agree to it (GDPR, article 6.1.a)").waitFor();
  expect(await axeFaults(page)).toEqual([]);

  // First an error is shown, and the choice stays.
  await page.getByRole("radio", { name: "Straight away, but not at night" }).check();
  await press(page, "button", "Save the search");
  await page.getByRole("region", { name: "One thing needs correcting" }).waitFor();
  expectFaults(/status of 422/, 0);
  await alive(page);
  await press(page, "link", "Please enter a full email address, such as ann@example.com.");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
  await page.getByRole("region", { name: "One thing needs correcting" }).waitFor();
  expect(await page.getByRole("radio", { name: /^Straight away/ }).isChecked()).toBe(true);
  expect(await axeFaults(page)).toEqual([]);
  await page.getByLabel("Email address").fill(address);
  await press(page, "button", "Save the search");
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();

  const asking = await mailTo(address);
  // Anybody may have typed the address and the search's name, so the mail has no text of the visitor.
  expect(asking.subject).toMatch(
    /^Confirm that you want to hear about homes \(\d+ \w+ at \d\d:\d\d\)$/,
  );
  expect(asking.text).not.toContain(location.name);
  // So the page names the search before anything is pressed, also without a script.
  const confirming = linkIn(asking, "/alerts/confirm");
  const bare = await visitor({ javaScriptEnabled: false });
  await bare.goto(confirming);
  await open(page, confirming);
  for (const each of [bare, page]) {
    await each.getByRole("heading", { name: "Shall we email you?" }).waitFor();
    await each.getByText(`Properties for sale in ${location.name}`, { exact: true }).waitFor();
    await each.getByText("Straight away, but not at night", { exact: true }).waitFor();
  }
  expect(await axeFaults(page)).toEqual([]);
  await press(page, "button", "Yes, let me know");
  await page.getByRole("heading", { name: "We will let you know" }).waitFor();
  await page.getByText(`Properties for sale in ${location.name}`, { exact: true }).waitFor();

  await edit(ref, { price: price - 1_000 });
  try {
    const told = await mailTo(address, 2);
    expect(told.text).toContain("Price reduced");
    expect(told.text).toContain(`- Properties for sale in ${location.name}: `);
    expect(told.text).toContain(`${euros(price - 1_000)} (was ${euros(price)})`);
    await open(page, linkIn(told, path));
    await open(page, linkIn(told, "/alerts"));
    await page.getByText(address).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await press(page, "button", "Stop all these emails");
    const ended = "We will not email you about homes any more";
    await page.getByText(ended, { exact: true }).waitFor();
    // A screen reader announces the title first.
    expect(await page.title()).toMatch(new RegExp(`^${ended}\\. Your emails about homes`));
    const often = page.getByLabel("How often should we email you?");
    expect(await often.inputValue()).toBe("never");
    // Choosing again means consenting again, to a text on the page.
    const words = page.getByText("By choosing how often, you agree: “Yes, send me emails");
    await words.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await alive(page);
    await often.selectOption("weekly");
    await press(page, "button", `Change: Properties for sale in ${location.name}`);
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await words.count()).toBe(0);
    await press(page, "button", "Stop all these emails");
    await page.getByText(ended, { exact: true }).waitFor();
  } finally {
    await editPrice(ref, price);
  }
  for (const over of ["/alerts?token=nobodys", confirming]) {
    await page.goto(over);
    await page.getByRole("heading", { name: "This link can’t be used" }).waitFor();
    await page.locator("main").getByRole("link", { name: "Back to the homes" }).waitFor();
  }
  expect(await page.getByRole("button", { name: "Yes, let me know" }).count()).toBe(0);
  expect(await mailsTo(address)).toHaveLength(2);
});

/**
 * Saves the search on the open page for `address`, and confirms it by the mailed link, in the mail's language
 * or after switching to `language` there.
 */
async function saveFor(page: Page, address: string, language?: string): Promise<void> {
  await page.getByRole("radio").first().check();
  await page.locator("input[name=email]").fill(address);
  await page.locator("main form button[type=submit]").click();
  await page.waitForURL("**sent");
  const asking = await mailTo(address);
  const [, prefix = ""] = /^(\/es)?\//.exec(new URL(page.url()).pathname) ?? [];
  await open(page, linkIn(asking, `${prefix}/alerts/confirm`));
  if (language) {
    const before = page.url();
    await page.getByRole("banner").getByRole("link", { name: language }).click();
    await page.waitForURL((url) => url.href !== before);
  }
  await page.locator("main form button[type=submit]").click();
  await page.getByRole("heading", { name: /We will let you know|Le avisaremos/ }).waitFor();
}

test("a search without filters sends mails about all homes, in the language of the confirmation", async () => {
  const { ref, price } = await anyProperty();
  const address = newAddress();
  const page = await visitor({ viewport: PHONE });
  await open(page, "/es");
  await press(page, "link", "Avísenme cuando entre una vivienda");
  await page.waitForURL("**/es/save-search");
  await page.getByText("Inmuebles en venta", { exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await saveFor(page, address, "English");
  expect((await mailTo(address)).subject).toMatch(/^Confirme que quiere avisos \(/);
  await edit(ref, { price: price - 2_000 });
  try {
    const { text } = await mailTo(address, 2);
    expect(text).toContain(ref);
    expect(text).toContain("Price reduced");
  } finally {
    await editPrice(ref, price);
  }
});

test("an area drawn on the map is saved, and sends mails only about the homes within it", async () => {
  const address = newAddress();
  const page = await visitor();
  await open(page, "/property-for-sale?view=map");
  const map = page.getByRole("group", { name: "Map of the properties" });
  const marker = map.getByRole("list", { name: "Properties on the map" }).getByRole("listitem");
  await map.getByRole("button", { name: "Draw an area" }).click();
  await takesKeys(map.getByRole("application", { name: "Draw an area" }));
  const around = await marker.first().boundingBox();
  if (!around) throw new Error("no home is on the map");
  const [x, y] = [around.x + around.width / 2, around.y + around.height / 2];
  const radius = 60;
  await page.mouse.move(x + radius, y);
  await page.mouse.down();
  for (let turn = 0; turn <= 1; turn += 1 / 60) {
    const angle = 2 * Math.PI * turn;
    await page.mouse.move(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  await page.mouse.up();
  await page.waitForURL((url) => url.searchParams.has("area"));
  const area = new URL(page.url()).searchParams.get("area") ?? "";
  const priced = async (query: string) =>
    (await listed(`&status=for_sale&perPage=100${query}`)).filter(({ price }) => price !== null);
  const inside = await priced(`&area=${encodeURIComponent(area)}`);
  const everywhere = await priced("");
  const [home] = inside;
  const other = everywhere.find(({ ref }) => inside.every((each) => each.ref !== ref));
  if (!home?.price || !other?.price) throw new Error("the area parts no homes from others");

  // The link follows the address with a short delay.
  const save = page.getByRole("link", { name: "Save this search" });
  await expect.poll(() => save.getAttribute("href")).toContain("area=");
  await save.click();
  await page.getByText("Properties for sale, drawn on the map", { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get("area")).toBe(area);
  await saveFor(page, address);
  await edit(other.ref, { price: other.price - 1_000 });
  await edit(home.ref, { price: home.price - 1_000 });
  try {
    const { text } = await mailTo(address, 2);
    expect(text).toContain(home.ref);
    expect(text).not.toContain(other.ref);
    await open(page, linkIn(await mailTo(address, 2), "/property-for-sale"));
    expect(new URL(page.url()).searchParams.get("area")).toBe(area);
  } finally {
    await editPrice(other.ref, other.price);
    await editPrice(home.ref, home.price);
  }
});
