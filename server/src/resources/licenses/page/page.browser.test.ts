import { createHash } from "node:crypto";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeFindings } from "../../../../test/harness/accessibility.ts";
import { launchBrowser } from "../../../../test/harness/browser.ts";
import type { PublicLicense } from "../queries.ts";
import { licensePage, type PageFacts } from "./page.ts";

const origin = "https://beats.example.com";
const song = Buffer.from("the bytes of a song");

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const license = (overrides: Partial<PublicLicense> = {}): PublicLicense => ({
  id: "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c921",
  claims: {
    iss: origin,
    iat: 0,
    jti: "",
    license_type: "premium",
    terms: { version: "2026-11-26", sha256: "" },
    order_id: 1,
    purchased_at: "2026-11-22T19:10:00Z",
    beat: { id: 7, title: `Midnight in Łódź ${"W".repeat(80)}` },
    producer: { id: 3, name: "موسيقى الليل" },
    files: [
      { kind: "mp3", filename: "Midnight.mp3", bytes: 19, sha256: createHash("sha256").update(song).digest("hex") },
      { kind: "wav", filename: `${"x".repeat(200)}.wav`, bytes: 48_412_345, sha256: "cd".repeat(32) },
    ],
  },
  terms: { version: "2026-11-26", ...builtInTerms.texts.premium, limits: null },
  issuedAt: new Date("2026-11-22T19:11:00Z"),
  refundedAt: null,
  holderId: 1,
  statusIndex: 7,
  replaces: null,
  replaced: null,
  ...overrides,
});

const factsWithoutProof: PageFacts = { proof: null, sales: null, now: new Date("2026-11-24T08:00:00Z") };
const facts: PageFacts = {
  ...factsWithoutProof,
  proof: {
    origin: "beats.example.com/licenses/log",
    index: 7,
    size: 12,
    leaf: "",
    proof: [],
    salt: "",
    opening: "",
  },
  sales: { before: 3, after: 1 },
};

/** Opens the page in a browser. Collects other requests and messages of the console as errors. */
async function openPage(
  { headers, body }: HttpResponse,
  colorScheme: "light" | "dark",
  width: number,
): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 780 }, colorScheme });
  const errors: string[] = [];
  page.on("console", (message) => void errors.push(message.text()));
  page.on("pageerror", (error) => void errors.push(String(error)));
  await page.route("**/*", (route) => {
    if (route.request().url() === `${origin}/licenses/x`)
      return route.fulfill({ headers: { ...headers }, body: String(body) });
    errors.push(route.request().url());
    return route.abort();
  });
  await page.goto(`${origin}/licenses/x`);
  return { page, errors };
}

it.each([
  ["valid", licensePage(license(), facts)],
  [
    "replaced",
    licensePage(
      license({
        replaced: { at: new Date("2026-11-23T08:00:00Z"), licenseId: "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c922" },
        replaces: "0198f1a2-7c1e-4b5d-9a63-3f4de0b7c920",
      }),
      factsWithoutProof,
    ),
  ],
  ["refunded", licensePage(license({ refundedAt: new Date("2026-11-23T08:00:00Z") }), factsWithoutProof)],
])(
  "the page of a license that is %s fits narrow and wide screens, and axe finds no problem in either color scheme",
  async (_, response) => {
    for (const [colorScheme, width] of [
      ["light", 360],
      ["dark", 1440],
    ] as const) {
      const { page, errors } = await openPage(response, colorScheme, width);
      const axeProblems = await axeFindings(page);
      expect({ axeProblems, errors, colorScheme }).toEqual({ axeProblems: [], errors: [], colorScheme });
      expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
      await page.close();
    }
  },
);

it("the page checks on the device whether a chosen file is a licensed file", async () => {
  const { page, errors } = await openPage(licensePage(license(), facts), "light", 360);
  const choose = async (buffer: Buffer) =>
    page
      .getByLabel("Is a file of yours the licensed one?")
      .setInputFiles({ name: "song.mp3", mimeType: "audio/mpeg", buffer });
  await choose(song);
  await expect.poll(() => page.getByRole("status").textContent()).toBe("✓ This is a licensed file, unchanged.");
  expect(await page.locator(".match").count()).toBe(1);
  await choose(Buffer.concat([song, Buffer.from("!")]));
  await expect
    .poll(() => page.getByRole("status").textContent())
    .toBe("✕ This is none of the licensed files, or it was changed.");
  expect(await page.locator(".match").count()).toBe(0);
  expect(errors).toEqual([]);
  await page.close();
});
