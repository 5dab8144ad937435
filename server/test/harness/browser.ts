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
