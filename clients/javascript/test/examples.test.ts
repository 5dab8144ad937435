import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");
const { BEATMARKET_TEST_BASE_URL, BEATMARKET_TEST_API_KEY, BEATMARKET_TEST_CA_FILE } = process.env;

interface Ended {
  status: number;
  out: string;
  problem: string;
}

/** Runs an example to its end. */
const run = (name: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(folder, "examples", name), ...args],
      { cwd: folder, env: { PATH: process.env.PATH, ...env } },
      (_, out, problem) => resolve({ status: child.exitCode ?? -1, out, problem }),
    );
  });

describe("the nightly report of sales", () => {
  const sale = (id: number, title: string, amount: number, currency = "USD", day = "2026-11-21") => ({
    id,
    beat: { id: title.length, title },
    amount,
    refunded_amount: id === 3 ? amount : 0,
    currency,
    completed_at: `${day}T10:00:00Z`,
  });
  const sales = [
    sale(1, "One", 0.1),
    sale(2, "One", 0.2),
    sale(3, "Three", 9.9),
    sale(4, "One", 5, "EUR"),
    sale(5, "Next day", 5, "EUR", "2026-11-22"),
  ];
  const report = [
    "Sales of 2026-11-21",
    "    1        5.00 EUR  One (3)",
    "    2        0.30 USD  One (3)",
    "    1        0.00 USD  Three (5)",
    "",
  ].join("\n");
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const second = url.includes("page=2");
    const next = second ? null : `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/users/me/sales?page=2`;
    const data = { sales: second ? sales.slice(2) : sales.slice(0, 2), pagination: { total: 5, next_page_url: next } };
    response.end(JSON.stringify({ status: "success", data }));
  });
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    env = { BEATMARKET_BASE_URL: `http://127.0.0.1:${port}/v1`, BEATMARKET_API_KEY: "bm_1" };
  });
  afterAll(() => void server.close());

  test("sums a day's sales by beat and currency", async () => {
    expect(await run("sales_report.mjs", ["--day", "2026-11-21"], env)).toEqual({
      status: 0,
      out: report,
      problem: "",
    });
    expect(decodeURIComponent(asked[0] ?? "")).toContain("from=2026-11-21T00:00:00.000Z&to=2026-11-22T00:00:00.000Z");
  });

  test("a second run writes the same file and no other", async () => {
    const out = await mkdtemp(join(folder, "reports-"));
    for (let time = 0; time < 2; time += 1)
      expect((await run("sales_report.mjs", ["--day", "2026-11-21", "--out", out], env)).status).toBe(0);
    expect(await readdir(out)).toEqual(["sales-2026-11-21.txt"]);
    expect(await readFile(join(out, "sales-2026-11-21.txt"), "utf8")).toBe(report);
  });

  test("exits with 2 for a wrong argument, and with 1 and the message for an error of the client", async () => {
    expect(await run("sales_report.mjs", ["--day", "soon"], env)).toMatchObject({ status: 2, out: "" });
    const refused = await run("sales_report.mjs", [], { ...env, BEATMARKET_API_KEY: "" });
    expect(refused).toMatchObject({ status: 1, out: "", problem: expect.stringContaining("There is no API key") });
  });
});

test("mixing.mjs without a beat prints its usage and exits with 2", async () => {
  expect(await run("mixing.mjs", [], {})).toMatchObject({ status: 2, problem: expect.stringContaining("usage:") });
});

describe.skipIf(BEATMARKET_TEST_BASE_URL === undefined && process.env.CI !== "true")("with a real server", () => {
  const env = {
    BEATMARKET_BASE_URL: BEATMARKET_TEST_BASE_URL,
    BEATMARKET_API_KEY: BEATMARKET_TEST_API_KEY,
    BEATMARKET_CA_FILE: BEATMARKET_TEST_CA_FILE,
  };

  test("finds beats that mix with one, and exits with 1 if the beat does not exist", async () => {
    const found = await run("mixing.mjs", ["1", "--count", "2"], env);
    expect(found).toMatchObject({ status: 0, problem: "", out: expect.stringMatching(/^playing: 1 \d+ bpm/) });
    expect(await run("mixing.mjs", ["99999999"], env)).toMatchObject({
      status: 1,
      problem: "There is no beat 99999999.\n",
    });
  });

  test("reports the sales of yesterday", async () => {
    expect(await run("sales_report.mjs", [], env)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^Sales of \d/),
    });
  });
});
