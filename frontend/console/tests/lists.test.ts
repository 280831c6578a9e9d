import { expect, test } from "vitest";
import { hasFocus, part, server, signedIn } from "./operator.ts";

test("publishes are paged, each page with an address", async () => {
  const page = await signedIn();
  await part(page, "Publishes");
  await page.getByText("The log refuses it").waitFor();
  expect(await page.getByText("not seen on the site yet").count()).toBe(1);
  expect(await page.getByText("a newer version took its place").count()).toBe(1);
  await page.getByRole("link", { name: "Older" }).click();
  await page.waitForURL("**/publishes?before=3951");
  await page.goBack();
  await page.waitForURL("**/publishes");
  await page.getByText("The log refuses it").waitFor();
});

test("the lists of the other processes are shown while one is away, with its name", async () => {
  server.missing = ["query at 10.0.0.8:9081: it does not answer"];
  const page = await signedIn();
  await part(page, "Visitors");
  await page.getByText("houseboat").waitFor();
  // The slowest queries and the searches are those of query nodes.
  const alert = page.getByRole("alert").filter({ hasText: "10.0.0.8:9081: it does not answer" });
  await expect.poll(() => alert.count()).toBe(2);
  await alert.first().getByText("Not every process answered").waitFor();
  await part(page, "Publishes");
  await alert.getByText("Not every process answered").waitFor();
  await page.getByText("in the search index").first().waitFor();
});

test("a redirect is made for a path that was not found", async () => {
  const page = await signedIn();
  await part(page, "Visitors");
  const row = page.getByRole("row").filter({ hasText: "/properties-for-sale-nerja.html" });
  await row.getByRole("button", { name: "Redirect" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a redirect?" });
  await dialog.getByLabel("To").fill("https://elsewhere.example/");
  await dialog.getByRole("button", { name: "Make a redirect" }).click();
  await dialog.getByText("Give another path of the site").waitFor();
  expect(await hasFocus(dialog.getByLabel("To"))).toBe(true);
  await dialog.getByLabel("To").fill("/property-for-sale/nerja");
  await dialog.getByRole("button", { name: "Make a redirect" }).click();
  await row.waitFor({ state: "detached" });
  // The button is gone with its row.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  expect(server.asked).toEqual([
    {
      path: "/api/redirects",
      body: {
        from: "/properties-for-sale-nerja.html",
        to: "/property-for-sale/nerja",
        permanent: true,
      },
    },
  ]);
});

test("a cancelled redirect dialog reopens without its error", async () => {
  const page = await signedIn();
  await part(page, "Visitors");
  const button = page.getByRole("button", { name: "Redirect /properties-for-sale-nerja.html" });
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Make a redirect?" });
  await dialog.getByRole("button", { name: "Make a redirect" }).click();
  const wrong = dialog.getByText("Give another path of the site");
  await wrong.waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  await button.click();
  await dialog.getByLabel("To").waitFor();
  expect(await wrong.count()).toBe(0);
});

test("a redirect can be made though its path has left the list", async () => {
  const page = await signedIn();
  await part(page, "Visitors");
  await page.getByRole("button", { name: "Redirect /properties-for-sale-nerja.html" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a redirect?" });
  await dialog.getByLabel("To").fill("/property-for-sale/nerja");
  server.known.notFound = [];
  await page.getByText("Every requested page was found.").waitFor();
  await dialog.getByRole("button", { name: "Make a redirect" }).click();
  await page.getByText("/properties-for-sale-nerja.html is redirected.").waitFor();
  expect(server.asked).toHaveLength(1);
});

test("one long path does not break the buttons of the rows", async () => {
  const [path] = server.known.notFound;
  if (path) server.known.notFound.push({ ...path, path: `/${"x".repeat(300)}` });
  const page = await signedIn();
  await part(page, "Visitors");
  const button = page.getByRole("button", { name: "Redirect /wp-login.php" });
  await button.waitFor();
  expect((await button.boundingBox())?.height).toBeLessThan(50);
});

test("without a content service no redirect is offered, and the page says where to write one", async () => {
  server.redirects = false;
  const page = await signedIn();
  await part(page, "Visitors");
  await page.getByText("written into redirects.json of the content folder").waitFor();
  await page.getByText("/wp-login.php").waitFor();
  expect(await page.getByRole("button", { name: "Redirect" }).count()).toBe(0);
});

test("the audit trail shows outcomes in Spanish", async () => {
  const page = await signedIn("ana", { locale: "es-ES" });
  await part(page, "Auditoría");
  for (const end of ["iniciado", "hecho (200)", "rechazado (409)"]) {
    await page.getByText(end).first().waitFor();
  }
});

test("a failed delivery is retried", async () => {
  const page = await signedIn();
  await part(page, "Deliveries");
  await page.getByRole("checkbox", { name: /Enquiry by mail to the office/ }).check();
  await page.getByRole("button", { name: "Try again" }).click();
  const dialog = page.getByRole("dialog", { name: "Try this job again?" });
  await dialog.getByRole("button", { name: "Try again" }).click();
  await page.getByText("One job is tried again.").waitFor();
  expect(server.asked).toEqual([
    { path: "/api/command/jobs/retry", body: { ids: ["019ab3c2-5f00-7cc1-9d4e-5f0e4b6a7a01"] } },
  ]);
});

test("showing the next rows moves the focus to the first of them", async () => {
  server.known.emptySearches = Array.from({ length: 130 }, (_, index) => ({
    query: `houseboat ${index}`,
    locale: "en",
    count: 1,
    lastAt: new Date().toISOString(),
  }));
  const page = await signedIn();
  await part(page, "Visitors");
  const next = page.getByRole("button", { name: "Show 30 more" });
  await next.click();
  await next.waitFor({ state: "detached" });
  expect(await hasFocus(page.getByRole("row").filter({ hasText: "houseboat 100" }))).toBe(true);
});
