import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Frame, Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screenshots = join(import.meta.dirname, "../../../portal/screenshots");

/** The rules whose result depends on colours. Most of axe's time is spent on the others. */
const colorRules = ["color-contrast", "link-in-text-block"];

/**
 * The violations that axe finds in a page or frame, as sentences, minor ones included. `colors` runs only the colour
 * rules.
 */
export async function axeFindings(page: Page | Frame, only?: "colors"): Promise<string[]> {
  // The content security policy forbids adding a script element.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const options = { resultTypes: ["violations"], preload: false, ...(only === "colors" && { runOnly: colorRules }) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 300)}: ${failureSummary}`).join("; ")}`,
  );
}

/** With SCREENSHOTS=1 in the environment, saves portal/screenshots/<name>.png for review. */
export async function saveScreenshot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (process.env.SCREENSHOTS !== "1") return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage });
}

/**
 * Expects no axe violation and no element wider than the window, on desktop and phone, light and dark. Rules that do
 * not depend on colours run once per width.
 */
export async function checkLooks(page: Page, name: string): Promise<void> {
  for (const [label, width, colorScheme, rules] of [
    ["desk-light", 1440, "light", undefined],
    ["desk-dark", 1440, "dark", "colors"],
    ["phone-dark", 360, "dark", undefined],
    ["phone-light", 360, "light", "colors"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await saveScreenshot(page, `${name}-${label}`);
    expect(await axeFindings(page, rules), `${name} ${label}`).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
