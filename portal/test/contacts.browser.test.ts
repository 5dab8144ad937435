import { expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("a buyer plays the file, writes to the producer and requests a refund; producer and operator answer", async () => {
  const database = openTestDatabase(portal.server.databaseUrl);
  const producer = await portal.signUp({ name: "Nora Night" });
  const { id: beatId } = await database.query
    .selectFrom("beats")
    .select("id")
    .where("title", "=", "Lost Cinema")
    .executeTakeFirstOrThrow();
  await database.driver`update beats set user_id = ${producer.userId} where id = ${beatId}`;
  const { page } = await portal.signUp({ name: "Robin Sand" });
  await page.goto(`/beats/${beatId}`);
  await page.getByRole("button", { name: "Buy the basic license" }).click();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  const id = Number(/order (\d+)/.exec((await page.getByText(/license, order \d+/).textContent()) ?? "")?.[1]);

  await page.goto(`/portal/library?order=${id}`);
  const downloadAll = page.getByRole("button", { name: /^Download all \(ZIP, [\d.]+ [kM]B\)$/ });
  await downloadAll.waitFor();
  const [zip] = await Promise.all([page.waitForEvent("download"), downloadAll.click()]);
  expect(zip.suggestedFilename()).toMatch(/Lost Cinema \(basic\)\.zip$/);
  expect(await zip.failure()).toBeNull();
  await page.getByRole("button", { name: `Play the bought file of Lost Cinema, order ${id}` }).click();
  await page.getByRole("button", { name: `Pause the bought file of Lost Cinema, order ${id}` }).click();

  await page.getByRole("link", { name: /^Write to the producer, ask for a refund/ }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("Could you send me\nthe lyrics?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("list", { name: "Messages" }).getByText("the lyrics?").waitFor();
  await page.getByLabel("What is wrong?").fill("I took the wrong one.");
  await page.getByRole("button", { name: "Ask for a refund" }).click();
  await checkPage(page, "library-contact", () => page.getByText("Waits for a decision").waitFor());

  await producer.page.goto("/portal/sales");
  await checkPage(producer.page, "sales-contacts", () => producer.page.getByText("Waits for your answer").waitFor());
  await producer.page
    .getByRole("link", { name: `Lost Cinema, order ${id}` })
    .first()
    .click();
  await producer.page.getByText("I took the wrong one.").waitFor();
  await producer.page.getByRole("textbox", { name: "Message" }).fill("Gladly.");
  await producer.page.getByRole("button", { name: "Send" }).click();
  await checkPage(producer.page, "sale-contact", () => producer.page.getByText("Gladly.").first().waitFor());
  await page.reload();
  await page.getByText("Gladly.").waitFor();

  const { page: desk } = await portal.signUpOperator();
  await desk.goto("/portal/admin/orders");
  await desk.getByRole("link", { name: `Order ${id}, Lost Cinema` }).click();
  await desk.getByRole("button", { name: "Refuse", exact: true }).click();
  await desk.getByLabel("Why not").fill("The file is whole.");
  await desk.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  await checkPage(desk, "refund-refused", () => desk.getByText("The response: The file is whole.").waitFor());
  await page.reload();
  await page.getByText("The response: The file is whole.").waitFor();
  await page.getByLabel("What is wrong?").fill("It is the wrong key.");
  await page.getByRole("button", { name: "Ask for a refund" }).click();
  await desk.reload();
  await desk.getByRole("button", { name: "Grant" }).click();
  await desk
    .getByRole("dialog")
    .getByRole("button", { name: /^Refund / })
    .click();
  await desk.getByText("Granted", { exact: true }).waitFor();
});
