import { expect, test } from "vitest";
import { axeFindings } from "../../server/test/harness/accessibility.ts";
import { checkPage, goTo, password, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("an organisation is made, joined by one mail, and left by a member who is removed", async () => {
  const { page } = await portal.signUp({ path: "/organisation" });
  await page.getByLabel("Name of the organisation").fill("Acme Records");
  await page.getByRole("button", { name: "Create the organisation" }).click();
  await page.getByRole("button", { name: "Acting as Acme Records" }).waitFor();
  await page.getByLabel("E-mail").fill("vera@example.com");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByText("vera@example.com as viewer,").waitFor();
  await checkPage(page, "organisation", () => page.getByText("Organisation created").waitFor());

  // The mail proves the address, so nothing else has to be confirmed.
  const mail = await portal.server.mailTo("vera@example.com", /\/portal\/join#/);
  const vera = await portal.open("/sign-in");
  await vera.goto(/https:\S+\/portal\/join#\S+/.exec(mail)?.[0] ?? "");
  await checkPage(vera, "join", () => vera.getByText("Acme Records").waitFor());
  await vera.getByLabel("Your name").fill("Vera");
  await vera.getByLabel("Password", { exact: true }).fill(password);
  await vera.getByRole("button", { name: "Create the account and join" }).click();
  await vera.getByRole("button", { name: "Acting as Acme Records" }).waitFor();

  await goTo(vera, "API keys");
  await vera.getByText("Your role in Acme Records is viewer, which may not create").waitFor();
  expect(await vera.getByRole("button", { name: "New API key" }).isDisabled()).toBe(true);
  await goTo(vera, "Studio");
  await vera.getByText("which may not upload, publish or withdraw beats").waitFor();
  expect(await vera.getByRole("button", { name: "Choose files" }).isDisabled()).toBe(true);
  await goTo(vera, "Webhooks");
  expect(await vera.getByRole("button", { name: "Create an inbox" }).isDisabled()).toBe(true);
  const pages = vera.getByRole("navigation", { name: "Portal" });
  expect(await pages.getByRole("link", { name: "Explorer" }).count()).toBe(0);

  // In their own account, the same person may.
  await vera.getByRole("button", { name: "Acting as Acme Records" }).click();
  await vera.getByRole("menuitem", { name: "Vera" }).waitFor();
  expect(await axeFindings(vera)).toEqual([]);
  await vera.route("**/session/account", (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await vera.getByRole("menuitem", { name: "Vera" }).click();
  const notSwitched = vera.getByRole("dialog", { name: "You act as the same account as before" });
  await notSwitched.getByRole("button", { name: "Try again" }).click();
  await vera.getByRole("button", { name: "Account of Vera" }).waitFor();
  await goTo(vera, "API keys");
  expect(await vera.getByRole("button", { name: "New API key" }).isDisabled()).toBe(false);
  await vera.getByRole("button", { name: "Account of Vera" }).click();
  await vera.getByRole("menuitem", { name: "Acme Records, viewer" }).click();
  await vera.getByRole("button", { name: "Acting as Acme Records" }).waitFor();

  // A role that is not about calls is told where its work is.
  await page.reload();
  await Promise.all([
    page.waitForResponse(/organisation\/members\/\d+$/),
    page.getByRole("combobox", { name: "Role of vera@example.com" }).selectOption("billing"),
  ]);
  await goTo(vera, "Library");
  await vera.reload();
  await goTo(vera, "Home");
  await vera.getByText("Orders and sales are yours").waitFor();
  await vera.getByRole("main").getByRole("link", { name: "Sales" }).click();
  await vera.getByRole("heading", { name: "Sales", level: 1 }).waitFor();

  await page.reload();
  await page.getByRole("button", { name: "Remove vera@example.com" }).click();
  await page.getByRole("button", { name: "Remove vera@example.com" }).waitFor({ state: "detached" });
  await vera.reload();
  await vera.getByRole("button", { name: "Account of Vera" }).waitFor();
});

test("a dead link of an invitation says what to do", async () => {
  const page = await portal.open("/join#none");
  await page.getByText("ask an owner of the organisation to send the invitation again").waitFor();
});
