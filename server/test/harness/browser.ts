import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

// The whole browser draws a window around each page, which doubles the work.
const shell = "/usr/bin/chromium-headless-shell";
const executablePath = existsSync(shell) ? shell : "/usr/bin/chromium";

/** Starts Debian's Chromium without a window: its headless shell or, where that is missing, the whole browser. */
export const launchBrowser = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // A test's page is too short-lived to earn back what these compilers cost: an eighth of the browser's work.
      "--js-flags=--no-maglev --no-turbofan",
      ...args,
    ],
  });

let shared: Promise<Browser> | undefined;

/**
 * The browser of this process, which the test files of a worker use one after the other, each with contexts of its own. It
 * trusts every certificate, since servers under test have a self-signed one: Playwright's ignoreHTTPSErrors alone makes
 * Chromium retry each new connection, and it gives up after too many. It ends with the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await shared?.catch(() => undefined);
  if (browser?.isConnected() !== true) shared = launchBrowser(["--ignore-certificate-errors"]);
  return shared as Promise<Browser>;
}
