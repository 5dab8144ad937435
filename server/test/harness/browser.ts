import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

// The full browser draws a window around each page, which doubles the work.
const shell = "/usr/bin/chromium-headless-shell";
const executablePath = existsSync(shell) ? shell : "/usr/bin/chromium";

/** Starts Debian's Chromium without a window: its headless shell or, if that is missing, the full browser. */
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
      // A test's page closes before these compilers pay off. Without them the browser does an eighth less work.
      "--js-flags=--no-maglev --no-turbofan",
      ...args,
    ],
  });

/**
 * The pages of a context share a process, which compiles their scripts once. Blank pages start no process. The process
 * of the browser also draws.
 */
const oneProcess = [
  "--process-per-site",
  "--disable-site-isolation-trials",
  "--renderer-process-limit=1",
  "--in-process-gpu",
];

let shared: Promise<Browser> | undefined;

/**
 * The browser of this process. The test files of a worker use it in turn, each with its own contexts. It trusts every
 * certificate, because the servers under test have their own CAs. With Playwright's ignoreHTTPSErrors alone,
 * Chromium would retry each new connection, and give up after too many retries. The browser ends with the process.
 */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await shared?.catch(() => undefined);
  if (browser?.isConnected() !== true) shared = launchBrowser(["--ignore-certificate-errors", ...oneProcess]);
  return shared as Promise<Browser>;
}
