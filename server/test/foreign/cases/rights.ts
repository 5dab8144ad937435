import { copyFile, cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { statuses } from "@beatmarket/license-terms/status-entry.ts";
import { entriesPath } from "@beatmarket/transparency-log/tiles.ts";
import { readConfig } from "../../../src/config.ts";
import { openDatabase } from "../../../src/database/open.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import type { Market } from "../market.ts";
import type { PublicReader } from "../public-reader.ts";
import { type SoldLicenses, soldLicenses } from "../sold-licenses.ts";
import { run, runToSuccess } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";
import { cheats, honestLeaves, keptLeaves, publishInto } from "./cheats.ts";
import { type IssuedLicense, issued, refund } from "./licenses.ts";

const callers = join(import.meta.dirname, "../callers");
const logOrders = 300;
const ordersAtOnce = 6;

interface LicensePage {
  status: string;
  credential_status: { statusListIndex: string; statusListCredential: string };
  log: { index: number } | null;
}

const licensePage = async (market: Market, { license }: IssuedLicense): Promise<LicensePage> => {
  const text = await market.text(`/licenses/${license.id}`, "application/json");
  return (JSON.parse(text) as { data: { license: LicensePage } }).data.license;
};

const statusList: Case = {
  name: "licenses-status-list",
  about: "Python: the signed Bitstring Status List says of each license what its page says",
  async run(bench: Bench, report) {
    const [market, tool] = [await bench.market(), await bench.install(tools.joserfc)];
    const cwd = await bench.folder();
    const allLicenses = Object.values(await issued(market, cwd));
    await refund(
      market,
      allLicenses.filter((_, index) => index % 2 === 1).map(({ orderId }) => orderId),
    );
    const pages = await Promise.all(allLicenses.map((license) => licensePage(market, license)));
    const [first] = pages;
    const url = first?.credential_status.statusListCredential ?? "";
    await writeFile(join(cwd, "jwks.json"), await market.text("/.well-known/jwks.json"));
    await writeFile(join(cwd, "list.jwt"), await market.text(new URL(url).pathname));
    const args = [join(callers, "status_list_reader.py"), "jwks.json", "list.jwt"];
    const places = pages.map((page) => page.credential_status.statusListIndex);
    const statusValues = JSON.parse(
      await runToSuccess(join(tool, "bin/python3"), [...args, ...places], { cwd }),
    ) as number[];
    pages.forEach(({ status }, index) => {
      report.check(
        `the license at ${places[index]}`,
        statuses[statusValues[index] ?? -1] === status,
        `${statusValues[index]}: ${status}`,
      );
    });
    report.check("every license has its own place", new Set(places).size === places.length, places.join());
  },
};

const odrl: Case = {
  name: "licenses-odrl",
  about: "jsonld.js and rdflib: a license is a policy of ODRL 2.2, and JSON-LD drops no term of it",
  async run(bench: Bench, report) {
    const market = await bench.market();
    const [expander, judge] = [await bench.install(tools.jsonld), await bench.install(tools.rdflib)];
    const cwd = await bench.folder();
    for (const [script, { license }] of Object.entries(await issued(market, cwd))) {
      const policy = await market.text(`/licenses/${license.id}`, "application/ld+json");
      await writeFile(join(cwd, "policy.json"), policy);
      const args = [join(callers, "odrl-expander.mjs"), expander, "policy.json"];
      const quads = await runToSuccess(process.execPath, args, { cwd });
      await writeFile(join(cwd, "policy.nq"), quads);
      const python = join(judge, "bin/python3");
      const { status, output } = await run(python, [join(callers, "odrl_judge.py"), "policy.nq"], { cwd });
      report.check(`${script}: a policy is accepted`, status === 0, output);
      await writeFile(join(cwd, "wrong.nq"), quads.replaceAll("odrl/2/stream", "odrl/2/streaming"));
      const wrongJudgement = await run(python, [join(callers, "odrl_judge.py"), "wrong.nq"], { cwd });
      report.check(
        `${script}: an unknown action is found`,
        wrongJudgement.status !== 0,
        wrongJudgement.output.split("\n").at(-1) ?? "",
      );
    }
  },
};

const log: Case = {
  name: "licenses-log",
  about: `Go's sumdb and transparency-dev/merkle: the log of ${logOrders} orders is right, and each of ${cheats.length} cheats is found`,
  async run(bench: Bench, report) {
    const market = await bench.market();
    const cwd = await bench.folder();
    const program = await buildLogJudge(bench, cwd);
    const judge = (...args: string[]) => run(program, args, { cwd });
    bench.progress("placing orders");
    const key = await market.key("log-judge@example.com");
    const { beats } = await market.call<{ beats: { id: number }[] }>(key, "/beats?limit=50");
    const placeOrder = (index: number) =>
      market.call(key, "/orders", {
        beat_id: beats[index % beats.length]?.id,
        license_type: "basic",
        payment_method: "pm_card_visa",
      });
    for (let placed = 0; placed < logOrders; placed += ordersAtOnce)
      await Promise.all(Array.from({ length: ordersAtOnce }, (_, index) => placeOrder(placed + index)));
    const pages = Object.values(await issued(market, cwd));
    await awaitLeaves(market, pages);
    const size = await downloadLog(market, join(cwd, "log"));
    const proofs = (await Promise.all(pages.map((license) => licensePage(market, license)))).map(({ log }) => log);
    await writeFile(join(cwd, "proofs.json"), JSON.stringify(proofs));
    const sold = await soldOn(market);
    const open = async (sales: SoldLicenses) => {
      await writeFile(join(cwd, "sold.json"), JSON.stringify(sales));
      return judge("-kept", "log/checkpoint", "-proofs", "proofs.json", "-sold", "sold.json", "log");
    };
    const real = await open(sold);
    report.check(
      `the log of the server with ${size} leaves is accepted`,
      real.status === 0 && size >= logOrders,
      real.output,
    );
    report.check("all licenses have openings", sold.sales.length >= logOrders && sold.missing === 0, sold.missing);
    for (const [name, forged] of Object.entries(forgedOpenings(sold))) {
      const { status, output } = await open(forged);
      report.check(`an opening with ${name} is refused`, status !== 0 && output.startsWith("opening: "), output);
    }
    await publishInto(join(cwd, "kept"), honestLeaves.slice(0, keptLeaves));
    await publishInto(join(cwd, "honest"), honestLeaves);
    const honestVerdict = await judge("-kept", "kept/checkpoint", "honest");
    report.check("an honest log is accepted", honestVerdict.status === 0, honestVerdict.output);
    for (const [index, { name, verdictStart, leaves }] of cheats.entries()) {
      await publishInto(join(cwd, `cheat-${index}`), leaves);
      const { status, output } = await judge("-kept", "kept/checkpoint", `cheat-${index}`);
      report.check(name, status !== 0 && output.startsWith(verdictStart), output);
    }
  },
};

/** Every sale of the server, with the opening that the holder gets. */
async function soldOn(market: Market): Promise<SoldLicenses> {
  const database = await openDatabase(readConfig(market.environment), { log: () => {}, mustExist: true });
  try {
    return await soldLicenses(database.query);
  } finally {
    await database.close();
  }
}

/** The last sale, each time with one wrong value. */
function forgedOpenings(sold: SoldLicenses): Record<string, SoldLicenses> {
  const last = sold.sales.at(-1);
  const other = sold.sales.at(-2);
  if (last === undefined || other === undefined) throw new Error("Nothing was sold.");
  const instead = (overrides: Partial<typeof last>): SoldLicenses => ({ ...sold, sales: [{ ...last, ...overrides }] });
  return {
    "the salt of another license": instead({ salt: other.salt }),
    "another opening": instead({ opening: last.opening.replace(last.type, "unlimited") }),
    "another type": instead({ type: "unlimited" }),
    "another day": instead({ purchased_at: "2020-01-01T00:00:00Z" }),
    "another beat": instead({ beat: last.beat + 1 }),
    "other terms": { ...instead({}), texts: { [last.terms]: `${sold.texts[last.terms]} ` } },
  };
}

/** Builds the judge of a log in a folder. Returns the path of the program, relative to the folder. */
export async function buildLogJudge(bench: Bench, folder: string): Promise<string> {
  await cp(await bench.install(tools.sumdb), folder, { recursive: true });
  for (const file of ["license_log_judge.go", "license_log_witness.go"])
    await copyFile(join(callers, file), join(folder, file));
  bench.progress("building");
  await runToSuccess("go", ["build", "-mod=mod", "-o", "judge", "."], { cwd: folder });
  return "./judge";
}

/** Waits until the published log has the leaves of these licenses, at most 30 seconds. */
async function awaitLeaves(market: Market, licenses: readonly IssuedLicense[]): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const pages = await Promise.all(licenses.map((license) => licensePage(market, license)));
    if (pages.every((page) => page.log !== null)) break;
    await setTimeout(500);
  }
}

/** Stores the published files of the log. Returns the size of the log. */
export async function downloadLog(server: Pick<PublicReader, "text" | "bytes">, folder: string): Promise<number> {
  const checkpoint = await server.text("/licenses/log/checkpoint");
  const size = Number(checkpoint.split("\n")[1]);
  const storeFile = async (path: string, bytes: string | Buffer) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  };
  await storeFile("checkpoint", checkpoint);
  await storeFile("key", await server.text("/licenses/log/key"));
  for (let tile = 0; tile * 256 < size; tile++) {
    const path = entriesPath(tile, Math.min(256, size - tile * 256));
    await storeFile(path, await server.bytes(`/licenses/log/${path}`));
  }
  return size;
}

export const rightsCases: readonly Case[] = [statusList, odrl, log];
