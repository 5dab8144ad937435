import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../server/test/harness/database/database.ts";
import { type Developer, portalBrowser } from "../harness.ts";
import { openForPicture, savePicture } from "./picture.ts";

// Takes the pictures of docs/selling-beats.md (docs/images/portal-selling-<step>.webp), a producer's steps from many
// files to the payout, and of docs/running-a-marketplace.md (portal-running-<step>.webp), an operator's steps from the
// first sale to the first payout.

const portal = portalBrowser({
  CURRENCY: "EUR",
  COMMISSION_BASIS_POINTS: "1500",
  PAYOUT_DEBTOR_NAME: "Example Beats",
  PAYOUT_DEBTOR_IBAN: "NL91ABNA0417164300",
  INVOICE_SELLER_NAME: "Example Beats",
  INVOICE_SELLER_ADDRESS: "Example Street 1; 1011 AB Amsterdam",
  INVOICE_SELLER_COUNTRY: "NL",
});

const recordings = ["Harbour Lights 82bpm Am", "Night Ferry 90bpm Dm", "Salt Air 140bpm Cm", "Low Tide 75bpm Em"].map(
  (name, at) => ({ name: `${name}.wav`, mimeType: "audio/wav", buffer: wav(beat(30 + at)) }),
);

const open = ({ page }: Developer, path: string): Promise<Page> =>
  openForPicture(page, portal.server.origin, `/portal${path}`);

/** Scrolls a heading to the top of the window, below the page's own header. */
const scrollTo = (page: Page, heading: string): Promise<void> =>
  page
    .getByRole("heading", { name: heading, exact: true })
    .evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 90));

/** Puts the recordings on sale. Returns the beats' ids, by title. */
async function publishAll(robin: Developer): Promise<Map<string, number>> {
  const page = await open(robin, "/studio");
  await page.getByText("No beat yet").waitFor();
  await page.getByLabel("Choose files", { exact: true }).and(page.locator("input")).setInputFiles(recordings);
  const commonFields = page.getByRole("region", { name: "All recordings at once" });
  await commonFields.getByRole("combobox", { name: "Genre of all" }).fill("Ambient");
  await page.getByRole("option", { name: "Ambient", exact: true }).click();
  await commonFields.getByLabel("Basic price of all").fill("24.90");
  await commonFields.getByRole("button", { name: `Publish all (${recordings.length})` }).waitFor();
  await expect.poll(() => page.getByText(/still on their way/).count()).toBe(0);
  await savePicture(page, "selling-many-files");
  await commonFields.getByRole("button", { name: `Publish all (${recordings.length})` }).click();
  await page.getByText(`Published (${recordings.length})`).waitFor();
  const { beats } = await (await robin.context.request.get("/portal/api/studio/beats")).json();
  return new Map(beats.map(({ id, title }: { id: number; title: string }) => [title, id]));
}

/** Pays a checkout of beats with the discount code. Returns the orders' ids. */
async function buy(olu: Developer, beatIds: readonly number[]): Promise<number[]> {
  const permissions = ["orders:write", "orders:read"];
  const { key } = await portal.makeKey(olu.context, { name: "Shop", permissions });
  const { request } = olu.context;
  const headers = { authorization: `Bearer ${key}` };
  const items = beatIds.map((beat_id) => ({ beat_id, license_type: "premium" }));
  const opening = await request.post("/v1/checkouts", { data: { items, discount_code: "SPRING26" }, headers });
  const { checkout } = (await opening.json()).data;
  await request.post(new URL(checkout.url).pathname, { form: { card: "pm_card_visa" } });
  const paid = (await (await request.get(`/v1/checkouts/${checkout.id}`, { headers })).json()).data.checkout;
  expect(paid.status).toBe("completed");
  return paid.orders.map(({ id }: { id: number }) => id);
}

/** Inserts plays of the last 30 days. */
const addPlays = (beatId: number) =>
  openTestDatabase(portal.server.databaseUrl).driver`
    insert into beat_plays (beat_id, day, plays)
    select ${beatId}, current_date - ago, 4 + (ago * 7) % 11 + (29 - ago) / 2 from generate_series(0, 29) as ago`;

/** Moves orders three weeks into the past, so that their money has cleared. Disables the triggers, which forbid it. */
const moveOrdersBack = (orderIds: readonly number[]) =>
  openTestDatabase(portal.server.databaseUrl).driver`
    with triggers_off as (select set_config('session_replication_role', 'replica', true))
    update orders set completed_at = completed_at - interval '21 days' from triggers_off where id = any(${[...orderIds]})`;

async function report(beatId: number): Promise<void> {
  const stranger = await portal.visit(`/beats/${beatId}`, { javaScriptEnabled: false });
  await stranger.getByRole("link", { name: "Report this beat" }).click();
  await stranger.getByLabel("What is wrong with it").selectOption("sample");
  await stranger.getByLabel("What happened").fill("The hook is from my record, at 0:42.");
  await stranger.getByLabel("Your e-mail").fill("rita@example.com");
  await stranger.getByRole("button", { name: "Send the report" }).click();
  await stranger.getByRole("heading", { name: "Thank you" }).waitFor();
}

test("the pictures of selling beats and of running a marketplace", async () => {
  const robin = await portal.signUp({ name: "Robin Sand", email: "robin@example.com" });
  const kim = await portal.signUp({ name: "Kim Osei", email: "kim@example.com" });
  const olu = await portal.signUp({ name: "Olu Adeyemi", email: "olu@example.com" });
  const operator = await portal.signUpOperator({ name: "Olga Operator", email: "olga@example.com" });
  const beats = await publishAll(robin);
  const [lights = 0, ferry = 0, air = 0, tide = 0] = ["Harbour Lights", "Night Ferry", "Salt Air", "Low Tide"].map(
    (title) => beats.get(title),
  );

  await portal.send(robin.context, "POST", "/studio/discounts", {
    name: "Spring sale",
    kind: "percent",
    percent: 25,
    code: "spring26",
    max_uses: 100,
    valid_until: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  });
  const pack = { name: "Three for two", kind: "pack", pack_size: 3, pack_paid: 2, license_types: ["basic"] };
  await portal.send(robin.context, "POST", "/studio/discounts", pack);
  for (const [beatId, email, basis_points] of [
    [lights, "kim@example.com", 3_000],
    [air, "olu@example.com", 2_000],
  ] as const)
    await portal.send(robin.context, "PUT", `/studio/beats/${beatId}/split`, {
      own_basis_points: 10_000 - basis_points,
      shares: [{ who: email, basis_points }],
    });
  const { invitations } = await (await kim.context.request.get("/portal/api/earnings/splits")).json();
  await portal.send(kim.context, "POST", `/earnings/splits/${invitations[0].id}`, { accepts: true });
  const orderIds = await buy(olu, [lights, ferry, air]);
  const [first = 0, second = 0] = orderIds;
  await moveOrdersBack(orderIds);
  for (const id of beats.values()) await addPlays(id);

  const discounts = await open(robin, "/studio/discounts");
  await discounts.getByText("Three for two").waitFor();
  await savePicture(discounts, "selling-discounts");

  const studio = await open(robin, `/studio/beats/${lights}`);
  await studio.getByText("30 % for kim@example.com: accepted").waitFor();
  await studio.getByText(/^Plays: \d+, sales: 1 \(30 days\)$/).waitFor();
  await studio.getByLabel("Player for your own site").evaluate((field: HTMLTextAreaElement) => {
    field.value = field.value.replace(location.origin, "https://localhost:8443");
  });
  await scrollTo(studio, "On the market");
  await savePicture(studio, "selling-on-the-market");
  await open(robin, `/studio/beats/${air}`);
  await studio.getByText("20 % for olu@example.com: waiting").waitFor();
  await scrollTo(studio, "Split");
  await savePicture(studio, "selling-split");

  const page = await openForPicture(await robin.context.newPage(), portal.server.origin, "/producers/robin-sand");
  await page.getByRole("link", { name: "Low Tide" }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await savePicture(page, "selling-page");
  await page.setViewportSize({ width: 480, height: 280 });
  await page.goto("/embed/producers/robin-sand?size=medium");
  await page.waitForLoadState("networkidle");
  await savePicture(page, "selling-embed");

  await portal.send(olu.context, "POST", `/library/orders/${second}/refund-requests`, {
    reason: "mistake",
    details: "I need a WAV.",
  });
  await portal.server.run("orders", "refund", String(second), "--amount", "10.00");
  await report(tide);
  const admin = await open(operator, `/admin/orders/${second}`);
  await admin.getByRole("heading", { level: 1, name: `Order ${second}` }).waitFor();
  await expect.poll(() => admin.getByText("10.00").count()).toBeGreaterThan(0);
  await savePicture(admin, "running-order");
  await open(operator, "/admin/reports");
  await admin.getByText("The hook is from my record, at 0:42.").waitFor();
  await savePicture(admin, "running-reports");
  await open(operator, "/admin/beats?q=Low%20Tide");
  await admin.getByRole("button", { name: "Take down Low Tide" }).click();
  await admin.getByRole("dialog").getByLabel("Reason").fill("The sample of the hook was not cleared.");
  await savePicture(admin, "running-takedown");
  await open(operator, "/admin");
  await admin.getByText("Open reports").first().waitFor();
  await savePicture(admin, "running-overview");

  await portal.send(robin.context, "PUT", "/earnings/details", {
    holder: "Robin Sand",
    iban: "DE89370400440532013000",
  });
  await portal.send(kim.context, "PUT", "/earnings/details", { holder: "Kim Osei", iban: "BE68539007547034" });
  await open(operator, "/admin/payouts");
  await admin.getByRole("button", { name: "Pay by SEPA file" }).click();
  const row = (producer: string) => admin.getByRole("row").filter({ hasText: producer });
  await row("Kim Osei").getByRole("button", { name: "It came back" }).click();
  await admin.getByRole("dialog").getByLabel("Reason").fill("The account is closed");
  await admin.getByRole("button", { name: "Return the money" }).click();
  await row("Kim Osei").getByText("The account is closed").waitFor();
  await savePicture(admin, "running-payouts");
  await open(operator, `/admin/accounts/${robin.userId}`);
  await admin
    .getByRole("link", { name: String(first) })
    .first()
    .waitFor();
  await savePicture(admin, "running-account");

  await buy(olu, [lights, tide]);
  const earnings = await open(robin, "/earnings");
  await earnings.getByRole("region", { name: "Payouts" }).getByText("sent").first().waitFor();
  await savePicture(earnings, "selling-earnings");
});
