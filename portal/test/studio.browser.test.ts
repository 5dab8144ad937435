import { createRequire } from "node:module";
import { join, parse } from "node:path";
import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { png } from "@beatmarket/audio/testing/bombs.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { insertUpload } from "../../server/test/harness/database/uploads.ts";
import { checkPage, type Developer, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

const loop = { name: "night_drive.wav", mimeType: "audio/wav", buffer: wav(beat(20)) };

const choose = (page: Page, button: string, file: typeof loop | (typeof loop)[]) =>
  page.getByLabel(button, { exact: true }).and(page.locator("input")).setInputFiles(file);
const post = async ({ context }: Developer, path: string, data: object = {}) => {
  const headers = { origin: portal.server.origin };
  const response = await context.request.post(`/portal/api${path}`, { data, headers });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
};

test("a new producer uploads a file, corrects the tempo, and publishes, plays and finds the beat", async () => {
  const producer = await portal.signUp({ name: "Robin Sand", path: "" });
  await post(producer, "/webhooks/inbox");
  const { page } = producer;
  await goTo(page, "Studio");
  await page.getByText("No beat yet").waitFor();

  // The first request breaks off, and the upload continues automatically.
  let uploadRequests = 0;
  await page.route("**/portal/api/uploads/*", async (route) => {
    if (route.request().method() !== "PATCH" || uploadRequests++ > 0) return route.fallback();
    await route.abort("connectionreset");
  });
  await choose(page, "Choose files", loop);
  await page.getByRole("heading", { name: "New beat" }).waitFor();
  await page.getByText("Length").waitFor();
  expect(uploadRequests).toBeGreaterThan(1);

  expect(await page.getByLabel("Title").inputValue()).toBe("night drive");
  const tempo = page.getByLabel("Tempo (BPM)");
  const detectedTempo = Number(await tempo.inputValue());
  expect([60, 120]).toContain(detectedTempo);
  expect(await page.getByRole("combobox", { name: "Key" }).inputValue()).toMatch(/^[A-G]#? (major|minor)$/);
  expect(await page.getByText(/% sure/).count()).toBeGreaterThan(0);
  await page.getByRole("button", { name: /twice the tempo/ }).click();
  expect(await tempo.inputValue()).toBe(String(2 * detectedTempo));
  await page.getByText("Yours").waitFor();

  // The keyboard plays the recording.
  const player = page.getByRole("region", { name: "Player of your recording" });
  await player.locator("canvas").first().waitFor();
  await player.getByRole("button", { name: "Play your recording" }).press("Enter");
  await expect.poll(() => page.evaluate("document.querySelector('audio').currentTime")).toBeGreaterThan(0);
  await player.getByRole("button", { name: "Pause your recording" }).press("Enter");
  const position = player.getByRole("slider");
  await position.press("Home");
  for (const key of ["PageUp", "PageUp", "ArrowRight", "ArrowLeft", "ArrowUp", "PageDown"]) await position.press(key);
  await expect.poll(() => position.getAttribute("aria-valuetext")).toBe("0:06 of 0:20");
  await position.press("End");
  await expect.poll(() => position.getAttribute("aria-valuetext")).toBe("0:20 of 0:20");

  // An error appears next to each missing field.
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Choose a genre.").waitFor();
  await page.getByRole("combobox", { name: "Genre" }).fill("House");
  await page.getByRole("option", { name: "House", exact: true }).click();
  await page.getByLabel("Basic", { exact: true }).fill("24.50");
  await page.getByLabel("Exclusive", { exact: true }).fill("400");
  await page.getByRole("textbox", { name: "Tags" }).fill("warm");
  await page.getByRole("textbox", { name: "Tags" }).press("Enter");
  await choose(page, "Choose a picture", { name: "cover.png", mimeType: "image/png", buffer: png(64, 64) });
  await page.getByRole("button", { name: "Remove the cover" }).waitFor();
  await checkPage(page, "studio-new", () => player.locator("canvas").first().waitFor());
  await page.getByRole("button", { name: "Publish" }).click();

  await page.getByText("On sale", { exact: true }).waitFor();
  const id = Number(/\/studio\/beats\/(\d+)/.exec(page.url())?.[1]);
  const copyText = async (button: string) => {
    await page.getByRole("button", { name: button }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await page.getByRole("link", { name: "Open the public page" }).getAttribute("href")).toBe(`/beats/${id}`);
  expect(await copyText("Copy the link of the public page")).toBe(`${portal.server.origin}/beats/${id}`);
  const frame = await copyText("Copy the code of the player");
  expect(frame).toContain(`src="${portal.server.origin}/embed/beats/${id}?size=medium"`);
  expect(frame).toContain('title="night drive"');
  const headers = { authorization: `Bearer ${portal.server.demoKey}` };
  const publishedBeat = (await (await producer.context.request.get(`/v1/beats/${id}`, { headers })).json()).data.beat;
  expect(publishedBeat).toMatchObject({ title: "night drive", bpm: 2 * detectedTempo, price: 24.5, tags: ["warm"] });
  const prices = Object.fromEntries(
    publishedBeat.licenses.map(({ type, price }: { type: string; price: number }) => [type, price]),
  );
  expect(prices).toEqual({ basic: 24.5, premium: 49.99, unlimited: 122.99, exclusive: 400 });
  const preview = await producer.context.request.get(new URL(publishedBeat.audio_url).pathname);
  expect([preview.status(), preview.headers()["content-type"]]).toEqual([200, "audio/mpeg"]);

  expect(await drawnByWavesurfer(page, new URL(publishedBeat.waveform_url).pathname, publishedBeat.duration)).toEqual({
    duration: publishedBeat.duration,
    isLoud: true,
  });

  await page.getByRole("button", { name: "Play night drive", exact: true }).click();
  const played = page.getByRole("slider", { name: "Position in night drive" }).first();
  await expect.poll(() => played.getAttribute("aria-valuetext")).toMatch(/^0:0[1-9] of /);
  await page.getByRole("button", { name: "Pause night drive", exact: true }).click();
  await checkPage(page, "studio-beat", () => page.getByText("On sale", { exact: true }).waitFor());
  await expectLightPlayers(id);

  const searchResponse = await producer.context.request.get("/v1/search?q=night+drive&type=beats", { headers });
  expect((await searchResponse.json()).data.beats.map((beat: { id: number }) => beat.id)).toContain(id);

  await goTo(page, "Studio");
  await page.getByRole("main").getByRole("link", { name: "night drive", exact: true }).waitFor();
  await page.getByText("Published (1)").waitFor();
  await checkPage(page, "studio-list", () =>
    page.getByRole("main").getByRole("link", { name: "night drive", exact: true }).waitFor(),
  );

  await goTo(page, "Webhooks");
  await page.getByRole("link", { name: /inbox/i }).first().click();
  await page.getByText("beat.created").locator("visible=true").first().waitFor();
});

/** Expects that a player of this beat and a player of six beats take at most 30 kB each, with page and covers. */
async function expectLightPlayers(beatId: number): Promise<void> {
  const [producer] = await openTestDatabase(portal.server.databaseUrl).driver`
    select username from users join beats on beats.user_id = users.id where is_listed and cover_image is null
    group by users.id order by count(*) desc limit 1`;
  const player = await portal.visit(`/embed/beats/${beatId}`);
  const widths = () => player.evaluate("Array.from(document.images, ({ naturalWidth }) => naturalWidth)");
  const bytes = () =>
    player.evaluate("performance.getEntries().reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0)");
  await expect.poll(widths).toEqual([144]);
  expect(await bytes()).toBeLessThanOrEqual(30_000);
  await player.goto(`/embed/producers/${producer?.username}?size=large`);
  await expect.poll(widths).toEqual(Array(6).fill(640));
  expect(await bytes()).toBeLessThanOrEqual(30_000);
}

test("the page shows that a file is being analysed, and stops polling for a deleted file", async () => {
  const { page, userId } = await portal.signUp();
  const audio = await insertUpload(openTestDatabase(portal.server.databaseUrl), { userId });
  let requests = 0;
  let isGone = false;
  await page.route(`**/portal/api/studio/uploads/${audio}`, async (route) => {
    requests++;
    if (isGone) return route.fulfill({ status: 404, json: { error: { code: "not_found", message: "Not found" } } });
    const response = await route.fetch();
    const { upload, ...otherFields } = await response.json();
    return route.fulfill({
      response,
      json: { ...otherFields, upload: { ...upload, status: "analysing", analysis: null } },
    });
  });
  await page.clock.install();
  await page.goto(`/portal/studio/uploads/${audio}`);
  await page
    .getByRole("status")
    .getByText(/^Listening to /)
    .waitFor();
  await expect.poll(() => requests).toBeGreaterThan(1);
  isGone = true;
  const last = await page.waitForResponse((response) => response.status() === 404);
  expect(last.url()).toContain(audio);
  const requestsAfterDeletion = requests;
  await page.clock.runFor(10_000);
  expect(requests).toBe(requestsAfterDeletion);
});

test("a rejected file shows the reason and a retry, a change from elsewhere is not overwritten, and a draft is deleted", async () => {
  const producer = await portal.signUp({ path: "" });
  const { page, userId } = producer;
  const database = openTestDatabase(portal.server.databaseUrl);
  const broken = await insertUpload(database, {
    userId,
    status: "rejected",
    rejection: "The analysis did not end in time.",
  });
  await database.query
    .updateTable("uploads")
    .set({ is_retriable: true, received: 1_000 })
    .where("id", "=", broken)
    .execute();
  const audio = await insertUpload(database, { userId });
  const { beat: draft } = await post(producer, "/studio/beats", { title: "Drive", genre: "House", audio, price: 20 });

  // Upload two files at once. One is not audio.
  await goTo(page, "Studio");
  await choose(page, "Choose files", [
    { ...loop, name: "first.wav" },
    { name: "second.wav", mimeType: "audio/wav", buffer: Buffer.from("no audio at all") },
  ]);
  const files = page.getByRole("region", { name: "Files without a beat" });
  await files.getByText("“second.wav” was rejected").waitFor();
  await files.getByRole("link", { name: "Make a beat" }).first().waitFor();
  await checkPage(page, "studio-files", () => files.getByText("“second.wav” was rejected").waitFor());
  await files.getByRole("button", { name: "Remove second.wav" }).click();
  await files.getByText("“second.wav” was rejected").waitFor({ state: "hidden" });

  await files.getByText("The analysis did not end in time.").waitFor();
  const retried = page.waitForResponse((response) => response.url().endsWith("/retry"));
  await files.getByRole("button", { name: "Try again" }).click();
  expect((await retried).status()).toBe(200);

  // Another tab changes the beat first.
  await page.getByRole("link", { name: "Drive", exact: true }).click();
  await page.getByLabel("Title").fill("Drive, mine");
  const headers = { origin: portal.server.origin };
  const elsewhere = await producer.context.request.patch(`/portal/api/studio/beats/${draft.id}`, {
    data: { title: "Drive, theirs", price: 30 },
    headers,
  });
  expect(elsewhere.status()).toBe(200);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("This beat was changed elsewhere").waitFor();
  await page.getByRole("button", { name: "Load it and drop my edits" }).click();
  await expect.poll(() => page.getByLabel("Title").inputValue()).toBe("Drive, theirs");
  await page.getByLabel("Basic", { exact: true }).fill("35");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Saved.").waitFor();

  // A change whose response was lost is saved again. The server must not treat it as someone else's change.
  let isLost = false;
  await page.route(`**/portal/api/studio/beats/${draft.id}`, async (route) => {
    if (isLost || route.request().method() !== "PATCH") return route.fallback();
    isLost = true;
    expect((await route.fetch()).status()).toBe(200);
    await route.abort("connectionreset");
  });
  await page.getByLabel("Title").fill("Drive, saved");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("The connection was lost before the server answered").waitFor();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Saved.").waitFor();
  expect(await page.getByText("This beat was changed elsewhere").count()).toBe(0);

  // An error from the server appears next to its field.
  await page.getByLabel("Title").fill("\u202e");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText(/^The title field/).waitFor();

  await page.reload();
  await page.getByRole("button", { name: "Delete draft" }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Delete draft" });
  await checkPage(page, "studio-delete-draft", () => confirm.waitFor());
  await confirm.click();
  await page.getByText("No beat yet").waitFor();
});

/** Draws a waveform with wavesurfer.js, a third-party player that `waveform_url` promises to support. */
async function drawnByWavesurfer(page: Page, path: string, duration: number) {
  const waveform = await (await page.context().request.get(path)).json();
  const blank = await page.context().newPage();
  await blank.setContent("<div id=wave></div>");
  const { dir } = parse(createRequire(import.meta.url).resolve("wavesurfer.js"));
  await blank.addScriptTag({ path: join(dir, "wavesurfer.min.js") });
  const drawn = await blank.evaluate(`(async () => {
    const { data, channels, bits } = ${JSON.stringify(waveform)};
    const peaks = [data.map((sample) => sample / 2 ** (bits - 1))];
    const drawn = WaveSurfer.create({ container: "#wave", peaks, duration: ${duration} });
    await new Promise((resolve) => drawn.on("ready", resolve));
    return { duration: drawn.getDuration(), isLoud: drawn.exportPeaks()[0].some((peak) => Math.abs(peak) > 0.1) };
  })()`);
  await blank.close();
  return drawn;
}
