import { setTimeout } from "node:timers/promises";
import type { APIResponse, Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { sharedBrowser } from "../../server/test/harness/browser.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { ReusedContexts } from "./contexts.ts";
import { type PortalServer, startPortalServer } from "./server.ts";

export const password = "correct horse battery staple";

const widths = { phone: { width: 360, height: 780 }, desk: { width: 1440, height: 900 } } as const;
/**
 * Combinations of width and colour scheme. Each differs from the previous one in a single property, because changes are
 * slow.
 */
const looks = [
  { width: "phone", colorScheme: "light", rules: undefined },
  { width: "phone", colorScheme: "dark", rules: "colors" },
  { width: "desk", colorScheme: "dark", rules: undefined },
  { width: "desk", colorScheme: "light", rules: "colors" },
] as const;

/** A signed-in account in a browser context of its own. */
export interface Developer {
  context: BrowserContext;
  page: Page;
  userId: number;
  email: string;
}

/** The number of a person's presses in a browser context. */
export interface Presses {
  /** Presses of the mouse or a finger. */
  clicks: number;
  /** Presses of Tab, Enter, Space, Escape and the arrows. */
  keys: number;
}

export interface PortalBrowser {
  server: PortalServer;
  /** Opens a page in an empty, signed-out browser context. An error in the page fails the test. */
  open(path: string): Promise<Page>;
  /** Opens a public page by its full path, and counts clicks and keys. */
  visitCounted(path: string): Promise<{ page: Page; presses: Presses }>;
  /** Opens another page in the account's browser context. */
  openTab(developer: Developer, path: string): Promise<Page>;
  /** Opens a public page by its full path in an empty browser context. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  /**
   * Registers an account, signs in through the portal's API, and opens a page. Without `path` the page is blank, which
   * saves half a second of processor time.
   */
  signUp(options?: { name?: string; email?: string; path?: string }): Promise<Developer>;
  /**
   * Registers an operator whose session counts as signed in with a passkey, then opens a page like `signUp`. Actions
   * that move money need a second factor. account-security.browser.test.ts tests a real passkey.
   */
  signUpOperator(options?: { name?: string; email?: string; path?: string }): Promise<Developer>;
  /** Signs in as the demo account, then opens a page like `signUp`. */
  signInAsDemo(path?: string): Promise<Developer>;
  /** Moves the sign-in of the session to 16 minutes ago. */
  ageSession(developer: Developer): Promise<void>;
  /**
   * Calls the portal's API with the account's session. Returns the response body or null. Throws for a status other
   * than 2xx.
   */
  send(
    caller: Pick<BrowserContext, "request">,
    method: Method,
    path: string,
    data?: object,
  ): Promise<Awaited<ReturnType<APIResponse["json"]>>>;
  /** Creates an API key through the portal's API in two steps, as pages do: proposal and creation. */
  makeKey(caller: Pick<BrowserContext, "request">, key: KeyFields): Promise<{ id: number; key: string }>;
}

type Method = "POST" | "PUT";

interface KeyFields {
  name: string;
  permissions: readonly string[];
  /** Null or absent: the key never expires. */
  expires_in_days?: number | null;
}

/** Repeats a request while the busy server sheds it. */
export async function retryWhileShed(send: () => Promise<APIResponse>): Promise<APIResponse> {
  let response = await send();
  for (let attempt = 0; attempt < 20 && response.status() === 503; attempt++) {
    await setTimeout(500);
    response = await send();
  }
  return response;
}

/**
 * Starts a server and a browser for a test file. Pages close after each test. With `newContexts`, no test uses a
 * browser context of an earlier one, whose process may still have the scripts and pictures of the site.
 */
export function portalBrowser(
  settings: Record<string, string> = {},
  { newContexts = false }: { newContexts?: boolean } = {},
): PortalBrowser {
  let server: PortalServer;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const pageErrors: string[] = [];
  let accounts = 0;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startPortalServer(settings), sharedBrowser()]);
  });
  afterEach(async () => {
    await Promise.all([reused.putBack(), ...contexts.splice(0).map((context) => context.close())]);
    expect(pageErrors.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await reused.close();
    await server?.stop();
  });

  const createContext = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({
      baseURL: server.origin,
      ignoreHTTPSErrors: true,
      viewport: widths.desk,
      reducedMotion: "reduce",
      locale: "en-GB",
      ...options,
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    // The time limit only ends a failed wait, so it suits a busy machine.
    context.setDefaultTimeout(300_000);
    return context;
  };
  /** A context that closes after the test. */
  const newContext = async (options?: BrowserContextOptions) => {
    const context = await createContext(options);
    contexts.push(context);
    return context;
  };
  const reused = new ReusedContexts(() => server.origin, createContext);
  const emptyContext = () => (newContexts ? newContext() : reused.take());
  const newPage = async (context: BrowserContext, path?: string) => {
    const page = await context.newPage();
    // Pages handle error responses, lost connections and missing chunks, so ignore the browser's messages about them.
    page.on("console", (message) => {
      if (
        message.type() === "error" &&
        !/^(MissingChunk|Failed to load resource: (the server responded|net::ERR_(CONNECTION_|INTERNET_DISCONNECTED|HTTP2_PROTOCOL_ERROR)))/.test(
          message.text(),
        )
      )
        pageErrors.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => pageErrors.push(String(error)));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol === "https:" && origin !== server.origin)
        pageErrors.push(`request to another origin: ${request.url()}`);
    });
    if (path !== undefined) await page.goto(path);
    return page;
  };
  const developer = async (context: BrowserContext, path?: string): Promise<Developer> => {
    const session = await (await context.request.get("/portal/api/session")).json();
    const page = await newPage(context, path === undefined ? undefined : `/portal${path}`);
    return { context, page, userId: session.account.user_id, email: session.account.email };
  };
  const send: PortalBrowser["send"] = async ({ request }, method, path, data = {}) => {
    const options = { method, data, headers: { origin: server.origin } };
    const response = await retryWhileShed(() => request.fetch(`/portal/api${path}`, options));
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
    const body = await response.text();
    return body === "" ? null : JSON.parse(body);
  };

  const signUp: PortalBrowser["signUp"] = async ({
    name = "Ada Developer",
    email = `developer-${++accounts}@example.com`,
    path,
  } = {}) => {
    const context = await emptyContext();
    await send(context, "POST", "/auth/register", { name, email, password });
    const token = /#(\S+)/.exec(await server.mailTo(email, /\/portal\/confirm#/))?.[1];
    await send(context, "POST", "/auth/confirm", { token, password });
    return developer(context, path);
  };

  return {
    get server() {
      return server;
    },
    openTab: ({ context }, path) => newPage(context, `/portal${path}`),
    open: async (path) => newPage(await emptyContext(), `/portal${path}`),
    visit: async (path, options) => newPage(await (options === undefined ? emptyContext() : newContext(options)), path),
    visitCounted: async (path) => {
      const context = await newContext();
      const presses = { clicks: 0, keys: 0 };
      await context.exposeBinding("countPress", (_, kind: keyof Presses) => {
        presses[kind]++;
      });
      await context.addInitScript(countPresses);
      return { page: await newPage(context, path), presses };
    },
    signUp,
    signUpOperator: async ({ path, ...options } = {}) => {
      const operator = await signUp({ name: "Olga Operator", ...options });
      const { driver } = openTestDatabase(server.databaseUrl);
      await driver`update users set operator = true where id = ${operator.userId}`;
      await driver`
        insert into portal_passkeys (account_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
        select id, id, '', 0, '{}', 'Laptop', false, now() from portal_users where user_id = ${operator.userId}`;
      await driver`
        update portal_sessions set second_factor = true
        where user_id = (select id from portal_users where user_id = ${operator.userId})`;
      if (path !== undefined) await operator.page.goto(`/portal${path}`);
      return operator;
    },
    signInAsDemo: async (path) => {
      const context = await emptyContext();
      await send(context, "POST", "/auth/demo");
      return developer(context, path);
    },
    ageSession: async ({ userId }) => {
      const { driver } = openTestDatabase(server.databaseUrl);
      await driver`
        update portal_sessions set created_at = now() - interval '16 minutes'
        where user_id = (select id from portal_users where user_id = ${userId})`;
    },
    send,
    makeKey: async (caller, key) => {
      const proposed = await send(caller, "POST", "/keys/proposals");
      return send(caller, "POST", "/keys", { expires_in_days: null, ...key, proposed });
    },
  };
}

/** A script that counts presses. It runs in every page of the context. */
const countPresses = `
  addEventListener("pointerdown", ({ isTrusted }) => isTrusted && countPress("clicks"), true);
  addEventListener("keydown", ({ isTrusted, key }) => isTrusted && /^(Tab|Enter| |Escape|Arrow.*)$/.test(key) && countPress("keys"), true);`;

/**
 * Expects no axe violation and no element wider than the window, in both widths and colour schemes. `settled` resolves
 * when the page is complete.
 */
export async function checkPage(page: Page, name: string, settled: () => Promise<unknown>): Promise<void> {
  for (const { width, colorScheme, rules } of looks) {
    await page.setViewportSize(widths[width]);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settled();
    await expect.poll(() => page.evaluate(colors), { message: "colors still change" }).toBe(`${colorScheme}, settled`);
    const label = `${name}-${width}-${colorScheme}`;
    await saveScreenshot(page, label);
    expect(await axeFindings(page, rules), label).toEqual([]);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(overflow, { message: `${label} is wider than its window` }).toBeLessThanOrEqual(0);
  }
}

/** Resolves the final colours. During the transition between schemes axe would check an intermediate colour. */
const colors = `document.documentElement.dataset.mantineColorScheme + (
  document.getAnimations().some((animation) => animation instanceof CSSTransition) ? "" : ", settled")`;

/** Clicks a link of the navigation, not a link of the page with the same name. */
export const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name, exact: true }).click();
