import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { insertUpload } from "../../server/test/harness/database/uploads.ts";
import { checkPage, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

/** A picture with a red left half and a blue right half, twice as wide as high. */
async function widePicture(page: Page) {
  const drawing = await page.context().newPage();
  await drawing.setViewportSize({ width: 400, height: 200 });
  await drawing.setContent(
    `<body style="margin: 0; height: 100vh; background: linear-gradient(to right, #f00 50%, #00f 50%)">`,
  );
  const buffer = await drawing.screenshot();
  await drawing.close();
  return { name: "wide.png", mimeType: "image/png", buffer };
}

const choose = async (page: Page, label: string, file: Awaited<ReturnType<typeof widePicture>>) =>
  page.getByLabel(label, { exact: true }).and(page.locator("input")).setInputFiles(file);

interface PictureFacts {
  width: number;
  height: number;
  /** The amounts of red and blue in the middle pixel, from 0 to 255. */
  middle: [number, number];
}

/** The size and the middle colour of a picture on the page. */
const pictureOf = (page: Page, alt: string): Promise<PictureFacts> =>
  page.getByRole("img", { name: alt }).evaluate(async (image) => {
    await (image as HTMLImageElement).decode();
    const picture = await createImageBitmap(image as HTMLImageElement);
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context?.drawImage(picture, 0, 0);
    const [red = 0, , blue = 0] =
      context?.getImageData(Math.floor(picture.width / 2), Math.floor(picture.height / 2), 1, 1).data ?? [];
    return { width: picture.width, height: picture.height, middle: [red, blue] };
  });

/** Crops the left end of the picture by keyboard. The right arrow moves the picture behind the frame to the right. */
async function cutLeftPart(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  const frame = dialog.getByRole("group", { name: /^Square frame/ });
  await checkPage(page, title.replaceAll(" ", "-").toLowerCase(), () => frame.waitFor());
  await dialog.getByLabel("Zoom").focus();
  await page.keyboard.press("ArrowRight");
  await frame.focus();
  for (let step = 0; step < 120; step++) await page.keyboard.press("ArrowRight");
  await dialog.getByRole("button", { name: "Use this part" }).click();
  await dialog.waitFor({ state: "hidden" });
}

test("the public page shows a producer's cropped profile picture and the links", async () => {
  const { page, userId } = await portal.signUp({ name: "Nora Night", path: "/account" });
  const { driver } = openTestDatabase(portal.server.databaseUrl);
  await driver`update users set is_producer = true where id = ${userId}`;
  const picture = await widePicture(page);
  await choose(page, "Choose a profile picture", picture);
  await cutLeftPart(page, "Cut the picture to a square");
  await page.getByText("The picture is on your public page.").waitFor();
  const { width, height, middle } = await pictureOf(page, "The picture of Nora Night");
  expect(width).toBe(height);
  expect(middle[0]).toBeGreaterThan(200);
  expect(middle[1]).toBeLessThan(60);

  // The studio would list the upload among the files without a beat.
  await expect.poll(async () => (await driver`select from uploads where user_id = ${userId}`).length).toBe(0);

  await page.getByLabel("Link 1", { exact: true }).fill("https://www.instagram.com/nora");
  await page.getByRole("button", { name: "Add a link" }).click();
  await page.getByLabel("Link 2", { exact: true }).fill("https://soundcloud.com/nora");
  await page.getByRole("button", { name: "Save the links" }).click();
  await page.getByText("Saved.").first().waitFor();
  await checkPage(page, "account-profile", () => page.getByRole("button", { name: "Save the links" }).waitFor());

  const [user] = await driver`select username from users where id = ${userId}`;
  const profilePage = await portal.visit(`/producers/${user?.username}`);
  expect(await profilePage.getByRole("link", { name: "Instagram" }).getAttribute("rel")).toBe("me nofollow noopener");
  const image = profilePage.locator(".cover img").first();
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(width);

  await page.getByRole("button", { name: "Remove the picture" }).click();
  await page.getByRole("button", { name: "Choose a picture" }).waitFor();
});

test("a producer crops a cover for a draft and for a beat on sale, and Cancel uploads nothing", async () => {
  const { page, userId } = await portal.signUp({ name: "Robin Sand" });
  const database = openTestDatabase(portal.server.databaseUrl);
  const picture = await widePicture(page);
  const upload = await insertUpload(database, { userId });
  const cutCover = async () => {
    await choose(page, "Choose a picture", picture);
    await cutLeftPart(page, "Cut the cover to a square");
    await page.getByRole("button", { name: "Remove the cover" }).waitFor();
    await expect.poll(() => page.getByRole("status", { name: "Being checked" }).count()).toBe(0);
    const { width, height, middle } = await pictureOf(page, "The cover");
    expect(width).toBe(height);
    expect(middle[0]).toBeGreaterThan(200);
  };
  await page.goto(`/portal/studio/uploads/${upload}`);
  await cutCover();

  const { id } = await database.query
    .selectFrom("beats")
    .select("id")
    .where("title", "=", "Lost Cinema")
    .executeTakeFirstOrThrow();
  await database.driver`update beats set user_id = ${userId} where id = ${id}`;
  await page.goto(`/portal/studio/beats/${id}`);
  await cutCover();
  await page.getByRole("button", { name: "Remove the cover" }).click();

  // Cancel uploads nothing.
  await choose(page, "Choose a picture", picture);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(await page.getByRole("button", { name: "Remove the cover" }).count()).toBe(0);
});
