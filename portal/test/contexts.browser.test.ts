import { expect, test } from "vitest";
import { sharedBrowser } from "../../server/test/harness/browser.ts";
import { ReusedContexts } from "./contexts.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("a context keeps no pages, cookies, storage, routes and network conditions of the test that used it", async () => {
  const browser = await sharedBrowser();
  const { origin } = portal.server;
  const contexts = new ReusedContexts(
    () => origin,
    () => browser.newContext({ ignoreHTTPSErrors: true }),
  );
  const context = await contexts.take();
  const stored = `(async () => JSON.stringify([
    document.cookie, localStorage.length, sessionStorage.length,
    (await indexedDB.databases()).length, (await caches.keys()).length,
  ]))()`;
  const page = await context.newPage();
  await page.goto(`${origin}/portal/sign-in`);
  await page.evaluate(`(async () => {
    document.cookie = "color=red; max-age=999";
    localStorage.setItem("color", "red");
    sessionStorage.setItem("color", "red");
    await new Promise((done) => { indexedDB.open("color").onsuccess = (event) => { event.target.result.close(); done(); }; });
    await caches.open("color");
  })()`);
  expect(JSON.parse(await page.evaluate(stored))).not.toContain(0);
  await context.route("**/sign-in", (route) => route.fulfill({ body: "red" }));
  await context.setOffline(true);
  await contexts.putBack();
  expect(page.isClosed()).toBe(true);

  expect(await contexts.take()).toBe(context);
  const next = await context.newPage();
  await next.goto(`${origin}/portal/sign-in`);
  await next.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  // The portal sets cookies itself.
  expect(JSON.parse(await next.evaluate(stored)).slice(1)).toEqual([0, 0, 0, 0]);
  expect((await context.cookies()).map(({ name }) => name)).not.toContain("color");
  await contexts.putBack();
  await contexts.close();
});

test("a context whose server is gone closes, and the next test has a new one", async () => {
  const browser = await sharedBrowser();
  const contexts = new ReusedContexts(
    () => "https://localhost:1",
    () => browser.newContext(),
  );
  const context = await contexts.take();
  await contexts.putBack();
  expect(browser.contexts()).not.toContain(context);
  expect(await contexts.take()).not.toBe(context);
  await contexts.putBack();
});
