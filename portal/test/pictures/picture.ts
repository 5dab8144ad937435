import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const images = join(import.meta.dirname, "../../../docs/images");
const size = { width: 1280, height: 800 };
const maxBytes = 150_000;

/** The address and the certificate's file in the pictures: those of a server with default settings. */
const shownOrigin = "https://localhost:8443";
const shownCaFile = ".data/tls/ca.pem";

/** Opens a path in the size and colours of the pictures. */
export async function openForPicture(page: Page, origin: string, path: string): Promise<Page> {
  await page.route("**/portal/api/session", async (route) => {
    const response = await route.fetch();
    const session = JSON.parse((await response.text()).replaceAll(origin, shownOrigin));
    await route.fulfill({ response, json: { ...session, ca_file: shownCaFile } });
  });
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(path);
  return page;
}

/** Saves what the page shows as docs/images/portal-<name>.webp. */
export async function savePicture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  const picture = await webpOf(page, 80);
  expect(picture.length, `portal-${name}.webp`).toBeLessThan(maxBytes);
  await mkdir(images, { recursive: true });
  await writeFile(join(images, `portal-${name}.webp`), picture);
}

/** What the page shows, as the browser writes WebP. `quality`: from 0 to 100. */
export async function webpOf(page: Page, quality: number): Promise<Buffer> {
  const devTools = await page.context().newCDPSession(page);
  const { data } = await devTools.send("Page.captureScreenshot", { format: "webp", quality });
  await devTools.detach();
  return Buffer.from(data, "base64");
}
