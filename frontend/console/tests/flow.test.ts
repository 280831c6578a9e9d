import { expect, test } from "vitest";
import { expectFaults } from "../../tests/e2e/site.ts";
import { server, signedIn } from "./operator.ts";

test("the flow shows the state of each step, updates live, and says when the connection is lost", async () => {
  const page = await signedIn();
  await page.getByText("Live", { exact: true }).waitFor();
  const steps = page.getByRole("region", { name: "The seven steps" });
  await expect.poll(() => steps.getByRole("listitem").count()).toBe(7);
  await steps.getByText("Index: Stopped").waitFor();
  await steps.getByText("Project: Slow").waitFor();
  expect(await page.getByRole("article").count()).toBe(0);

  server.known.projections.lag = 0;
  await steps.getByText("Project: Slow").waitFor({ state: "detached" });

  server.cut();
  await page.getByText("Connection lost").first().waitFor();
  await page.getByText(/What is shown is \d+\ss old/).waitFor();
  server.connect();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByText(/What is shown is/).waitFor({ state: "detached" });
  expectFaults(/ERR_|status of [45]\d\d/, 0);
});
