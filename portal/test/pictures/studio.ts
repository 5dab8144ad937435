import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat, type Signal } from "@beatmarket/audio/testing/signals.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { portalBrowser } from "../harness.ts";
import { openForPicture, savePicture } from "./picture.ts";

// Takes the pictures of docs/publishing.md (docs/images/portal-studio-<step>.webp): a new producer's steps from a file
// to a beat on sale.

const portal = portalBrowser();

const seconds = 40;
/** The volume of each eighth of the recording, which gives the waveform a shape. */
const arrangement = [0.35, 0.6, 1, 1, 0.5, 0.8, 1, 0.4];
const withArrangement = ({ sampleRate, channels }: Signal): Signal => ({
  sampleRate,
  channels: channels.map((samples) =>
    samples.map((value, index) => value * 0.8 * (arrangement[Math.floor((index / samples.length) * 8)] ?? 1)),
  ),
});
const recording = { name: "Harbour_lights.wav", mimeType: "audio/wav", buffer: wav(withArrangement(beat(seconds))) };

const choose = (page: Page, button: string, file: typeof recording) =>
  page.getByLabel(button, { exact: true }).and(page.locator("input")).setInputFiles(file);

/** Draws a cover: lights over water. */
async function cover(page: Page): Promise<Buffer> {
  const drawing = await page.context().newPage();
  await drawing.setViewportSize({ width: 600, height: 600 });
  const lights = [18, 41, 55, 83].map(
    (leftPercent) => `radial-gradient(circle at ${leftPercent}% 58%, #ffd98a 0 1.5%, transparent 9%)`,
  );
  await drawing.setContent(
    `<body style="margin: 0; height: 100vh; background: ${lights.join()}, linear-gradient(#1b1440 58%, #0b2a4a 58%, #0e5a6b)">`,
  );
  const picture = await drawing.screenshot();
  await drawing.close();
  return picture;
}

test("the pictures of the studio", async () => {
  const { page, context } = await portal.signUp({ name: "Robin Sand", email: "robin@example.com" });
  const headers = { origin: portal.server.origin };
  await context.request.post("/portal/api/webhooks/inbox", { data: {}, headers });

  await openForPicture(page, portal.server.origin, "/portal/studio");
  await page.getByText("No beat yet").waitFor();
  await savePicture(page, "studio-drop");

  const network = await context.newCDPSession(page);
  const line = { offline: false, latency: 0, downloadThroughput: -1 };
  await network.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: 1_200_000 });
  await choose(page, "Choose files", recording);
  await page.getByText(/^[4-7]\d % of/).waitFor();
  await savePicture(page, "studio-upload");
  await network.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: -1 });

  await page.getByText("Length").waitFor();
  await page.locator("canvas").first().waitFor();
  await page.getByRole("slider", { name: /Position/ }).press("PageUp");
  await page.getByRole("slider", { name: /Position/ }).press("PageUp");
  await savePicture(page, "studio-analysis");

  await page.getByRole("button", { name: /half the tempo/ }).click();
  await page.getByRole("combobox", { name: "Genre" }).fill("Ambient");
  await page.getByRole("option", { name: "Ambient", exact: true }).click();
  for (const tag of ["warm", "night", "harbour"]) {
    await page.getByRole("textbox", { name: "Tags" }).fill(tag);
    await page.getByRole("textbox", { name: "Tags" }).press("Enter");
  }
  await page.getByRole("textbox", { name: "Exclusive" }).fill("450");
  const picture = await cover(page);
  await choose(page, "Choose a picture", { name: "harbour.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "Remove the cover" }).waitFor();
  await expect.poll(() => page.getByRole("status", { name: "Being checked" }).count()).toBe(0);
  await page.getByRole("heading", { name: "Cover, stems and preview" }).scrollIntoViewIfNeeded();
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  await savePicture(page, "studio-prices");

  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("On sale", { exact: true }).waitFor();
  await page.locator("canvas").first().waitFor();
  await page.evaluate("scrollTo(0, 0)");
  await savePicture(page, "studio-published");

  await openForPicture(page, portal.server.origin, "/portal/studio");
  await page.getByRole("link", { name: "Harbour lights", exact: true }).waitFor();
  await page.getByText("Published (1)").waitFor();
  await savePicture(page, "studio-list");

  await openForPicture(page, portal.server.origin, "/portal/webhooks");
  await page.getByRole("link", { name: /inbox/i }).first().click();
  await page.getByRole("heading", { name: "Verified, responded 200" }).waitFor();
  await savePicture(page, "studio-event");
});
