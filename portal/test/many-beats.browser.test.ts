import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { insertUpload } from "../../server/test/harness/database/uploads.ts";
import { checkPage, type Developer, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

const recordings = Array.from({ length: 12 }, (_, at) => ({
  name: `Beat_${at + 1} 60bpm Am.wav`,
  mimeType: "audio/wav",
  // Each file has different bytes.
  buffer: wav(beat(12 + at / 10)),
}));

const send = async ({ context }: Developer, method: "POST" | "PUT", path: string, data: object) => {
  const headers = { origin: portal.server.origin };
  const response = await context.request.fetch(`/portal/api${path}`, { method, data, headers });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
};
const countClicks = (page: Page) =>
  page.evaluate(
    "addEventListener('pointerdown', ({ isTrusted }) => isTrusted && (window.clicks = (window.clicks ?? 0) + 1), true)",
  );

test("a producer puts 12 files on sale with at most 20 clicks", async () => {
  const producer = await portal.signUp({ path: "/studio" });
  const { page } = producer;
  await page.getByText("No beat yet").waitFor();
  await countClicks(page);
  await page.getByLabel("Choose files", { exact: true }).and(page.locator("input")).setInputFiles(recordings);
  const commonFields = page.getByRole("region", { name: "All recordings at once" });
  await commonFields.getByRole("combobox", { name: "Genre of all" }).click();
  await commonFields.getByRole("combobox", { name: "Genre of all" }).fill("House");
  await page.getByRole("option", { name: "House", exact: true }).click();
  await commonFields.getByLabel("Basic price of all").fill("24.50");
  const publish = commonFields.getByRole("button", { name: "Publish all (12)" });
  await checkPage(page, "studio-all-recordings", () => publish.waitFor());
  await publish.click();
  await page.getByText("Published (12)").waitFor();
  // Add one click for choosing the files.
  expect(1 + Number(await page.evaluate("window.clicks"))).toBeLessThanOrEqual(20);

  const headers = { authorization: `Bearer ${portal.server.demoKey}` };
  const { beats } = await (await producer.context.request.get("/portal/api/studio/beats")).json();
  expect(beats).toHaveLength(12);
  const [first] = beats;
  expect(first.title).toMatch(/^Beat \d+$/);
  const publishedBeat = (await (await producer.context.request.get(`/v1/beats/${first.id}`, { headers })).json()).data
    .beat;
  expect(publishedBeat).toMatchObject({ price: 24.5, genre: { name: "House" } });
  // The studio shows the published tempo, which is in the octave of the genre, instead of the file's.
  await page.getByRole("main").getByRole("link", { name: first.title, exact: true }).click();
  await expect
    .poll(async () => Math.round(Number(await page.getByLabel("Tempo (BPM)").inputValue())))
    .toBe(publishedBeat.bpm);
  expect(publishedBeat.bpm).toBe(120);

  // The home page shows a producer the shop, and does not suggest an API key.
  await page.goto("/portal/");
  await checkPage(page, "home-producer", () => page.getByRole("heading", { name: "Your shop" }).waitFor());
  await page.getByRole("button", { name: "First steps with the API" }).waitFor();
  expect(await page.getByText("Make an API key").count()).toBe(0);
});

test("the fields of all recordings keep their input when the server lists the files", async () => {
  const { page } = await portal.signUp({ path: "/studio" });
  await page.getByText("No beat yet").waitFor();
  const isListed = Promise.withResolvers<void>();
  await page.route("**/portal/api/studio/uploads", async (route) => {
    await isListed.promise;
    await route.continue();
  });
  const input = page.getByLabel("Choose files", { exact: true }).and(page.locator("input"));
  await input.setInputFiles(recordings.slice(0, 2));
  const commonFields = page.getByRole("region", { name: "All recordings at once" });
  await commonFields.getByLabel("Basic price of all").fill("24.50");
  // Both files have been sent, so they can be removed instead of paused.
  await expect.poll(() => page.getByRole("button", { name: /^Remove Beat_/ }).count()).toBe(2);
  isListed.resolve();
  await commonFields.getByText("Titles come from the names of the files").waitFor();
  expect(await commonFields.getByLabel("Basic price of all").inputValue()).toBe("24.50");
});

test("the form suggests the tempo and key from the file name, and one click accepts each", async () => {
  const { page, userId } = await portal.signUp();
  const database = openTestDatabase(portal.server.databaseUrl);
  const id = await insertUpload(database, { userId });
  await database.query.updateTable("uploads").set({ filename: "Glow 140bpm Cm.wav" }).where("id", "=", id).execute();
  await page.goto(`/portal/studio/uploads/${id}`);
  await page.getByRole("button", { name: "The file’s name says 140" }).click();
  expect(await page.getByLabel("Tempo (BPM)").inputValue()).toBe("140");
  await page.getByRole("button", { name: "The file’s name says C minor" }).click();
  expect(await page.getByRole("combobox", { name: "Key" }).inputValue()).toBe("C minor");
  expect(await page.getByRole("button", { name: /file’s name says/ }).count()).toBe(0);
});

test("defaults fill in new beats, and an edit of many beats can be undone", async () => {
  const producer = await portal.signUp({ path: "/studio" });
  const { page, userId } = producer;
  const database = openTestDatabase(portal.server.databaseUrl);
  await page.getByRole("button", { name: "Defaults" }).click();
  const defaults = page.getByRole("dialog", { name: "What new beats begin with" });
  await defaults.getByRole("textbox", { name: "Tags" }).fill("warm");
  await defaults.getByRole("textbox", { name: "Tags" }).press("Enter");
  await defaults.getByLabel("Basic", { exact: true }).fill("19");
  await defaults.getByLabel("Sell exclusive licenses").uncheck();
  await checkPage(page, "studio-defaults", () => defaults.waitFor());
  await defaults.getByRole("button", { name: "Save the defaults" }).click();
  await defaults.waitFor({ state: "hidden" });

  const uploads = [await insertUpload(database, { userId }), await insertUpload(database, { userId })];
  await page.goto(`/portal/studio/uploads/${uploads[0]}`);
  expect(await page.getByLabel("Basic", { exact: true }).inputValue()).toBe("19.00");
  await page.getByText("warm", { exact: true }).waitFor();
  for (const [at, audio] of uploads.entries())
    await send(producer, "POST", "/studio/beats", { title: `Drive ${at}`, genre: "House", audio, price: 20 });

  await page.goto("/portal/studio");
  await page.getByLabel("Select Drive 0").check();
  await page.getByLabel("Select Drive 1").check();
  await checkPage(page, "studio-selected", () => page.getByText("2 selected").waitFor());
  await page.getByRole("button", { name: "Edit…" }).click();
  const edit = page.getByRole("dialog", { name: "Edit 2 beats" });
  await edit.getByLabel(/^Basic price/).fill("35");
  await edit.getByRole("textbox", { name: "Add tags" }).fill("night");
  await edit.getByRole("textbox", { name: "Add tags" }).press("Enter");
  await checkPage(page, "studio-edit-many", () => edit.waitFor());
  await edit.getByRole("button", { name: "Change them" }).click();
  await page.getByText("2 done.").waitFor();
  await page.getByText("$35.00").first().waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => page.getByText("$20.00").count()).toBe(2);

  await page.getByRole("button", { name: "Unpublish" }).click();
  await page.getByText("0 done, 2 not.").waitFor();
  await page.getByText(/Drive 0: Beat \d+ is not on sale/).waitFor();
  await page.getByRole("button", { name: "Delete drafts…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete drafts" }).click();
  await page.getByText("No beat yet").waitFor();
});
