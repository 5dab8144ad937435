import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { AxeResults } from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type PortalServer, startPortalServer } from "./server.ts";

export const password = "correct horse battery staple";

const widths = { phone: { width: 360, height: 780 }, desk: { width: 1440, height: 900 } } as const;
const colorSchemes = ["light", "dark"] as const;
const screenshots = join(import.meta.dirname, "../screenshots");
const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Somebody with an account, in a browser of their own. */
export interface Developer {
  context: BrowserContext;
  page: Page;
  userId: number;
  email: string;
}

export interface PortalBrowser {
  server: PortalServer;
  /** A page in a browser of its own, where nobody is signed in. What goes wrong in it fails the test. */
  open(path: string): Promise<Page>;
  /** Registers an account and signs it in, by the portal's routes, without its pages; then opens a page. */
  signUp(options?: { name?: string; email?: string; path?: string }): Promise<Developer>;
  /** Signs in as the demo account, whose catalogue and key are there; then opens a page. */
  signInAsDemo(path?: string): Promise<Developer>;
}

/** A server and a browser for a test file; both end with it, and each page with its test. */
export function portalBrowser(settings: Record<string, string> = {}): PortalBrowser {
  let server: PortalServer;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const wrongs: string[] = [];
  let accounts = 0;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startPortalServer(settings), launch()]);
  }, 60_000);
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(wrongs.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const newContext = async () => {
    const context = await browser.newContext({
      baseURL: server.origin,
      ignoreHTTPSErrors: true,
      viewport: widths.desk,
      reducedMotion: "reduce",
      locale: "en-GB",
    });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    context.setDefaultTimeout(10_000);
    contexts.push(context);
    return context;
  };
  const newPage = async (context: BrowserContext, path: string) => {
    const page = await context.newPage();
    // Refusals are the page's business, and it shows them; what the browser itself says of their status is no error.
    page.on("console", (message) => {
      if (message.type() === "error" && !/^Failed to load resource: the server responded/.test(message.text()))
        wrongs.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => wrongs.push(String(error)));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol === "https:" && origin !== server.origin) wrongs.push(`asked another origin: ${request.url()}`);
    });
    await page.goto(`/portal${path}`);
    return page;
  };
  const developer = async (context: BrowserContext, path: string): Promise<Developer> => {
    const session = await (await context.request.get("/portal/api/session")).json();
    const page = await newPage(context, path);
    return { context, page, userId: session.account.user_id, email: session.account.email };
  };
  const call = async (context: BrowserContext, path: string, data: object = {}) => {
    const post = () => context.request.post(`/portal/api${path}`, { data, headers: { origin: server.origin } });
    let answer = await post();
    // On a machine that is busy with other tests the server may ask for patience.
    for (let attempt = 0; attempt < 20 && answer.status() === 503; attempt++) {
      await setTimeout(500);
      answer = await post();
    }
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  };

  return {
    get server() {
      return server;
    },
    open: async (path) => newPage(await newContext(), path),
    signUp: async ({ name = "Ada Developer", email = `developer-${++accounts}@example.com`, path = "" } = {}) => {
      const context = await newContext();
      await call(context, "/auth/register", { name, email, password });
      const token = /#(\S+)/.exec(await server.mailTo(email, /\/portal\/confirm#/))?.[1];
      await call(context, "/auth/confirm", { token, password });
      return developer(context, path);
    },
    signInAsDemo: async (path = "") => {
      const context = await newContext();
      await call(context, "/auth/demo");
      return developer(context, path);
    },
  };
}

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      // The server's certificate is of its own authority. Waved through for each context alone, it costs a request one
      // more try for every connection it meets, and Chromium gives up after so many.
      "--ignore-certificate-errors",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

/**
 * Looks at a page in both widths and colour schemes: axe finds nothing serious, nothing is wider than the window, and a
 * screenshot is in portal/screenshots/<name>-<width>-<scheme>.png for people to look at. `settled` says when it is drawn.
 */
export async function checkPage(page: Page, name: string, settled: () => Promise<unknown>): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  for (const [width, viewport] of Object.entries(widths))
    for (const colorScheme of colorSchemes) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await settled();
      const where = `${name}-${width}-${colorScheme}`;
      await page.screenshot({ path: join(screenshots, `${where}.png`), fullPage: true });
      expect(await seriousFindings(page), where).toEqual([]);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(overflow, { message: `${where} is wider than its window` }).toBeLessThanOrEqual(0);
    }
  await page.setViewportSize(widths.desk);
}

async function seriousFindings(page: Page): Promise<string[]> {
  // Evaluated, since the content security policy lets no script be added to the page.
  await page.evaluate(await readFile(axePath, "utf8"));
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`).join("; ")}`,
    );
}

/** Goes to a place of the navigation. Pages may link to the same place, sooner or later, depending on what they load. */
export const goTo = (page: Page, place: string): Promise<void> =>
  page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: place, exact: true }).click();
