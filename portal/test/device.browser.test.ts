import { expect, test } from "vitest";
import { checkPage, type Developer, portalBrowser } from "./harness.ts";

const portal = portalBrowser();
const request = { name: "beatmarket-cli on studio-laptop", permissions: ["beats:read", "search:read", "orders:write"] };

interface Codes {
  device_code: string;
  user_code: string;
}

async function post({ context }: Developer, path: string, data: object) {
  const headers = { origin: portal.server.origin };
  const response = await context.request.post(`/portal/api/device/${path}`, { data, headers });
  return (await response.json()) as Codes & { access_token?: string; error?: string };
}

const poll = (developer: Developer, { device_code }: Codes) =>
  post(developer, "token", { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code });

test("a person compares the code, removes a permission and confirms, and the program gets a key", async () => {
  const developer = await portal.signUp({ path: "/device" });
  const { page } = developer;
  const codes = await post(developer, "codes", request);
  await page.getByLabel("Code").fill(codes.user_code.toLowerCase());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(codes.user_code, { exact: true }).waitFor();
  await page.getByText(request.name).waitFor();
  await checkPage(page, "device", () => page.getByRole("button", { name: "Confirm" }).waitFor());
  await page.getByRole("checkbox", { name: /Buy beats/ }).uncheck();
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("The program has its key now.").waitFor();
  const { access_token: key } = await poll(developer, codes);
  const headers = { authorization: `Bearer ${key}` };
  expect((await developer.context.request.get("/v1/beats", { headers })).status()).toBe(200);
  const order = { data: { beat_id: 1, payment_method: "pm_card_visa" }, headers };
  expect((await developer.context.request.post("/v1/orders", order)).status()).toBe(403);
  await page.goto("/portal/keys");
  await page.getByText(request.name).waitFor();
});

test("a refused program gets no key, and the code stops working", async () => {
  const developer = await portal.signUp({ path: "/device" });
  const { page } = developer;
  const codes = await post(developer, "codes", request);
  await page.goto(`/portal/device?code=${codes.user_code}`);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByText("The program gets no key.").waitFor();
  expect((await poll(developer, codes)).error).toBe("access_denied");
  await page.reload();
  await page.getByText("There is no login with the code").waitFor();
});
