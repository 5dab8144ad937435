import { expect, test } from "vitest";
import { axeFindings } from "../../server/test/harness/accessibility.ts";
import { checkPage, type Developer, goTo, password, portalBrowser, retryWhileShed } from "./harness.ts";

const portal = portalBrowser();

test("a person creates an organisation, a second one joins by mail, and the owner removes the member", async () => {
  const { page } = await portal.signUp({ path: "/organisation" });
  await page.getByLabel("Name of the organisation").fill("Acme Records");
  await page.getByRole("button", { name: "Create the organisation" }).click();
  await page.getByRole("button", { name: "Acting as Acme Records" }).waitFor();
  await page.getByLabel("E-mail").fill("vera@example.com");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByText("vera@example.com as viewer,").waitFor();
  await checkPage(page, "organisation", () => page.getByText("Organisation created").waitFor());

  // Opening the mail proves the address, so the account needs no further confirmation.
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

  // The same person has the permission in their own account.
  await vera.getByRole("button", { name: "Acting as Acme Records" }).click();
  await vera.getByRole("menuitem", { name: "Vera" }).waitFor();
  expect(await axeFindings(vera)).toEqual([]);
  await vera.route("**/session/account", (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await vera.getByRole("menuitem", { name: "Vera" }).click();
  const notSwitched = vera.getByRole("dialog", { name: "You act as the same account as before" });
  await notSwitched.getByRole("button", { name: "Try again" }).waitFor();
  expect(await axeFindings(vera)).toEqual([]);
  await notSwitched.getByRole("button", { name: "Try again" }).click();
  await vera.getByRole("button", { name: "Account of Vera" }).waitFor();
  await goTo(vera, "API keys");
  expect(await vera.getByRole("button", { name: "New API key" }).isDisabled()).toBe(false);
  await vera.getByRole("button", { name: "Account of Vera" }).click();
  await vera.getByRole("menuitem", { name: "Acme Records, viewer" }).click();
  await vera.getByRole("button", { name: "Acting as Acme Records" }).waitFor();

  // A role without access to calls sees links to the pages of its work.
  await page.reload();
  await Promise.all([
    page.waitForResponse(/organisation\/members\/\d+\?/),
    page.getByRole("combobox", { name: "Role of vera@example.com" }).selectOption("billing"),
  ]);
  await goTo(vera, "Library");
  await vera.reload();
  await goTo(vera, "Home");
  await vera.getByText("Orders and sales are yours").waitFor();
  // The search offers the pages that the role may open, and knows that the person is signed in.
  await vera.keyboard.press("Control+k");
  const search = vera.getByRole("dialog", { name: "Search" });
  await search.getByRole("option", { name: /^Organisation/ }).waitFor();
  expect(await search.getByRole("option", { name: /^API keys|^Create an API key|^Webhooks/ }).count()).toBe(0);
  await search.getByRole("combobox").fill("midnight");
  const beat = search.getByRole("group", { name: "Beats" }).getByRole("option").first();
  await beat.click();
  await vera.waitForURL(/\/portal\/market\/beats\/\d+$/);
  await goTo(vera, "Home");
  await vera.getByRole("main").getByRole("link", { name: "Sales" }).click();
  await vera.getByRole("heading", { name: "Sales", level: 1 }).waitFor();

  await page.reload();
  await page.getByRole("button", { name: "Remove vera@example.com" }).click();
  await page.getByRole("button", { name: "Remove vera@example.com" }).waitFor({ state: "detached" });
  await vera.reload();
  await vera.getByRole("button", { name: "Account of Vera" }).waitFor();
});

/** Calls the portal's API with the account's session. */
async function send({ context }: Developer, method: string, path: string, data: object = {}) {
  const headers = { origin: portal.server.origin };
  // The server may close an idle connection just as a request is sent, so the request is retried.
  const options = { method, headers, maxRetries: 2, ...(method !== "GET" && { data }) };
  const response = await retryWhileShed(() => context.request.fetch(`/portal/api${path}`, options));
  expect(response.ok(), `${path}: ${response.status()}`).toBe(true);
  return response;
}

/** Creates an organisation and an invitation. Returns the owner and the invitation's link. */
async function invite(name: string, email: string, role: string): Promise<{ owner: Developer; link: string }> {
  const owner = await portal.signUp();
  await send(owner, "POST", "/organisations", { name });
  await send(owner, "POST", "/organisation/invitations", { email, role });
  const mail = await portal.server.mailTo(email, /\/portal\/join#/);
  return { owner, link: /https:\S+\/portal\/join#\S+/.exec(mail)?.[0] ?? "" };
}

const tokenOf = (link: string) => ({ token: link.split("#")[1] });

test("a page reports that the member's role changed or membership ended, and continues", async () => {
  const vera = await portal.signUp({ name: "Vera", email: "vera.stale@example.com" });
  const { owner, link } = await invite("Stale Records", vera.email, "developer");
  await send(vera, "POST", "/invitations/accept", tokenOf(link));
  const { page } = vera;
  await page.goto("/portal/keys");
  const create = async () => {
    await page.getByRole("button", { name: "New API key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Website");
    await dialog.getByRole("button", { name: "Create key" }).click();
    return dialog;
  };
  const discard = async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Leave", exact: true }).click();
  };

  await page.locator("button:enabled", { hasText: "New API key" }).first().waitFor();
  await send(owner, "PATCH", `/organisation/members/${vera.userId}`, { role: "viewer" });
  const refused = await create();
  await refused.getByText("Your role in Stale Records is viewer, which may not create").waitFor();
  await discard();
  await page.getByRole("main").getByText("Your role in Stale Records is viewer").waitFor();
  expect(await page.getByRole("button", { name: "New API key" }).first().isDisabled()).toBe(true);

  await send(owner, "PATCH", `/organisation/members/${vera.userId}`, { role: "developer" });
  await page.reload();
  await page.getByRole("button", { name: "Acting as Stale Records" }).waitFor();
  await send(owner, "DELETE", `/organisation/members/${vera.userId}`);
  await (await create()).getByText("This page shows another account than the one that you act as now").waitFor();
  await discard();
  await page.getByRole("button", { name: "Account of Vera" }).waitFor();
  await create();
  await page.getByTestId("issued-key").waitFor();
});

test("the owner of an organisation signs in again before inviting a member", async () => {
  const owner = await portal.signUp();
  await send(owner, "POST", "/organisations", { name: "Careful Records" });
  await owner.page.goto("/portal/organisation");
  await owner.page.getByRole("button", { name: "Invite", exact: true }).waitFor();
  await portal.ageSession(owner);
  await owner.page.getByLabel("E-mail").fill("dan@example.com");
  await owner.page.getByRole("button", { name: "Invite", exact: true }).click();
  const dialog = owner.page.getByRole("dialog", { name: "Confirm that it is you" });
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await owner.page.getByText("dan@example.com as viewer,").waitFor();
});

test("members of a suspended organisation see the reason, and a suspended person sees it at the sign-in", async () => {
  const { page, email, ...owner } = await portal.signUp({ name: "Olga" });
  await send({ page, email, ...owner }, "POST", "/organisations", { name: "Noisy Records" });
  await page.goto("/portal/organisation");
  const { username } = await (await send({ page, email, ...owner }, "GET", "/organisation")).json();
  const users = (...args: string[]) => portal.server.run("users", ...args);
  await users("suspend", "--organisation", username, "--reason", "It sent spam.");
  await page.reload();
  await page.getByText("It sent spam.").waitFor();
  await checkPage(page, "suspended", () => page.getByRole("heading", { name: "Noisy Records is suspended" }).waitFor());
  await page.goto("/portal/account");
  await page.getByRole("heading", { name: "Profile" }).first().waitFor();
  await page.getByRole("button", { name: "Acting as Noisy Records" }).click();
  await page.getByRole("menuitem", { name: "Olga" }).click();
  await page.getByRole("button", { name: "Account of Olga" }).waitFor();
  await page.goto("/portal/keys");
  await page.getByRole("button", { name: "New API key" }).first().waitFor();

  await users("suspend", "--email", email, "--reason", "It sent spam, too.");
  await page.reload();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("It sent spam, too.").waitFor();
});

test("a person with an account becomes a member by signing in on the page of the invitation", async () => {
  const { email } = await portal.signUp({ name: "Nora", email: "nora@example.com" });
  const { link } = await invite("Known Records", email, "viewer");
  const page = await portal.open("/sign-in");
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in and join" }).click();
  await page.getByRole("button", { name: "Acting as Known Records" }).waitFor();
});

test("a person who signs in to a revoked invitation sees the revocation, and is signed in", async () => {
  const { email } = await portal.signUp({ name: "Nils", email: "nils@example.com" });
  const { owner, link } = await invite("Fickle Records", email, "viewer");
  const page = await portal.open("/sign-in");
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(password);
  const { invitations } = await (await send(owner, "GET", "/organisation")).json();
  await send(owner, "DELETE", `/organisation/invitations/${invitations[0].id}`);
  await page.getByRole("button", { name: "Sign in and join" }).click();
  await page.getByText("The invitation was revoked.").waitFor();
  // The page does not ask for the password again, because the sign-in succeeded.
  await page.getByText(`You are signed in as ${email}`).waitFor();
  expect(await page.getByLabel("Password", { exact: true }).count()).toBe(0);
  await page.getByRole("link", { name: "Go to your account" }).click();
  await page.getByRole("button", { name: "Account of Nils" }).waitFor();
});

test("the page of an invalid invitation says what to do", async () => {
  const page = await portal.open("/join#none");
  await page.getByText("ask an owner of the organisation to send the invitation again").waitFor();
});
