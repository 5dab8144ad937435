import type { BrowserContext, Page } from "playwright-core";

/** A context, and the page that keeps its process alive; undefined before the context's first use ends. */
interface Member {
  context: BrowserContext;
  keeper: Page | undefined;
}

/**
 * Browser contexts that the tests of a file use in turn. Each is emptied before the next test. A page that stays open
 * keeps the context's process alive. That process has compiled the portal's scripts already, which saves a third of the
 * work of a test's first page.
 */
export class ReusedContexts {
  readonly #origin: () => string;
  readonly #create: () => Promise<BrowserContext>;
  readonly #free: Member[] = [];
  readonly #used: Member[] = [];

  constructor(origin: () => string, create: () => Promise<BrowserContext>) {
    this.#origin = origin;
    this.#create = create;
  }

  /** Returns a context without cookies, storage and routes, and without pages except the keeper. */
  async take(): Promise<BrowserContext> {
    const member = this.#free.pop() ?? { context: await this.#create(), keeper: undefined };
    this.#used.push(member);
    return member.context;
  }

  /** Takes back the contexts of a test. Closes those that cannot be emptied, as when the test's server is gone. */
  async putBack(): Promise<void> {
    await Promise.all(
      this.#used.splice(0).map(async (member) => {
        try {
          member.keeper ??= await this.#openKeeper(member.context);
          await empty(member.context, member.keeper, this.#origin());
          this.#free.push(member);
        } catch {
          await member.context.close();
        }
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#free.splice(0).map(({ context }) => context.close()));
  }

  /** Opens a page without scripts. Call it before the test's pages close: their process ends with the last page. */
  async #openKeeper(context: BrowserContext): Promise<Page> {
    await context.unrouteAll({ behavior: "ignoreErrors" });
    await context.setOffline(false);
    const page = await context.newPage();
    await page.goto(`${this.#origin()}/portal/icon.svg`);
    return page;
  }
}

/** Removes what a test may leave in a context. Emulation, routes and session storage of a page end with the page. */
async function empty(context: BrowserContext, keeper: Page, origin: string): Promise<void> {
  const pages = context.pages().filter((page) => page !== keeper);
  await Promise.all(pages.map((page) => page.close()));
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  await context.clearCookies();
  // The process of the pages has a copy of the local storage, which follows the browser's with a delay.
  await keeper.evaluate("localStorage.clear()");
  const devtools = await context.newCDPSession(keeper);
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await devtools.detach();
}
