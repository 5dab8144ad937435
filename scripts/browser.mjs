import { installFromDebian, isOnPath } from "./debian.mjs";

/**
 * Sees to the browser that some tests drive: Debian's Chromium, installed when missing and possible. Otherwise says
 * what to install, and leaves it to those tests to fail.
 */
export function ensureBrowser() {
  if (isOnPath("chromium") || installFromDebian(["chromium"])) return;
  console.log("Tests in a browser need Chromium, which is missing: install the package chromium.");
}
