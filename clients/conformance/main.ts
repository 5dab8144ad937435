import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { parseArgs } from "node:util";
import { clientInterface } from "../generator/interface/interface.ts";
import { type Deliveries, receiveDeliveries } from "./runner/deliveries.ts";
import { startDriver } from "./runner/driver.ts";
import { startFaultProxy } from "./runner/fault-proxy.ts";
import { isInstalled, type Language, languages } from "./runner/languages.ts";
import { comparedModels, type Description, differences } from "./runner/parity.ts";
import { direct, type Service, startService } from "./runner/service.ts";
import { calls } from "./scenarios/calls.ts";
import { conduct, everyOperation } from "./scenarios/conduct.ts";
import { connections } from "./scenarios/connections.ts";
import { delivering } from "./scenarios/delivering.ts";
import { failures } from "./scenarios/failures.ts";
import { filtering } from "./scenarios/filtering.ts";
import { licensed } from "./scenarios/licensed.ts";
import { oddFields } from "./scenarios/odd-fields.ts";
import { pages } from "./scenarios/pages.ts";
import { publishing } from "./scenarios/publishing.ts";
import { reading } from "./scenarios/reading.ts";
import { replays } from "./scenarios/replays.ts";
import { sandboxed } from "./scenarios/sandboxed.ts";
import type { Bed, Scenario } from "./scenarios/scenario.ts";
import { signatures } from "./scenarios/signatures.ts";
import { followOverRestart, streamScenarios } from "./scenarios/streams.ts";
import { uploading } from "./scenarios/uploading.ts";
import { waysOut } from "./scenarios/ways-out.ts";
import { writing } from "./scenarios/writing.ts";

// npm run conformance: runs the 74 scenarios against each library and the command line, through a proxy with faults.

const options = readOptions();
const selectedLanguages = languages.filter(({ name }) => options.language?.includes(name) ?? true);
const isOnCi = process.env.CI === "true";
const counts = { passed: 0, failed: 0 };
const api = clientInterface(
  JSON.parse(await readFile(new URL("../../contract/openapi.json", import.meta.url), "utf8")),
);
const eventTypes = api.eventTypes.map(({ type }) => type);

/** The test bed of a language, and the description that its driver gave. */
interface LanguageRun {
  language: Language;
  bed: Bed;
  description: Description;
  clear(): Promise<void>;
}

const folder = await mkdtemp(join(tmpdir(), "beatmarket-conformance-"));
try {
  const service = await startService(folder);
  try {
    const deliveries = await receiveDeliveries(service, eventTypes);
    const languageRuns = (
      await Promise.all(selectedLanguages.map((language) => prepareLanguage(language, service)))
    ).filter((languageRun) => languageRun !== undefined);
    await Promise.all(languageRuns.map((languageRun) => conform(languageRun, deliveries)));
    await restart(languageRuns, service);
    await Promise.all(languageRuns.map(({ clear }) => clear()));
  } finally {
    await service.stop();
  }
} catch (error) {
  report(false, "the service", error);
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

/**
 * Starts the driver and the proxies of a language. Reports a failure and returns undefined if one of them cannot start.
 */
async function prepareLanguage(language: Language, service: Service): Promise<LanguageRun | undefined> {
  const { name } = language;
  if (!isInstalled(language)) {
    if (isOnCi) report(false, `${name} is not installed`);
    else console.log(`skipped  ${name}, which is not installed`);
    return;
  }
  const env = await language.prepare().catch((error) => report(false, `${name}: preparation failed`, error));
  if (env === undefined) return;
  const proxyTo = { origin: service.origin, ca: service.authority.cert, certificate: service.certificate };
  const [proxy, elsewhere] = await Promise.all([startFaultProxy(proxyTo), startFaultProxy(proxyTo)]);
  const driver = startDriver(language.driver, env);
  const clear = async (): Promise<void> => {
    await driver.stop();
    await Promise.all([proxy.close(), elsewhere.close()]);
  };
  try {
    const account = await makeAccount(service, name);
    const facts = await factsOf(service, account.apiKey);
    const otherCaFile = join(folder, `other-ca-${name}.pem`);
    await writeFile(otherCaFile, rootCertificates[0] ?? "");
    const description = (await driver.ask({
      scenario: "parity",
      action: "describe",
      args: { models: comparedModels(api) },
    })) as Description;
    const bed: Bed = {
      language: name,
      version: description.version,
      driver,
      startDriver: (variables, onLog) => startDriver(language.driver, { ...env, ...variables }, onLog),
      proxy,
      elsewhere,
      service,
      account,
      facts,
      otherCaFile,
      folder: join(folder, name),
    };
    return { language, bed, description, clear };
  } catch (error) {
    await clear();
    return report(false, `${name}: the driver failed`, error);
  }
}

/** Runs all scenarios for one language in order. */
async function conform({ bed, description, language }: LanguageRun, deliveries: Deliveries): Promise<void> {
  const parity: Scenario = {
    name: "parity with contract/openapi.json",
    run: async () => {
      assert.equal(description.language, bed.language);
      assert.deepEqual(differences(description, api), []);
    },
  };
  const scenarios = [
    parity,
    ...reading,
    ...pages,
    ...writing,
    ...licensed,
    ...sandboxed,
    ...failures,
    ...conduct,
    ...filtering,
    ...uploading,
    ...publishing,
    ...delivering,
    ...signatures(deliveries, eventTypes),
    ...connections,
    ...oddFields,
    ...replays,
    ...calls,
    ...streamScenarios,
    ...waysOut,
    everyOperation(api),
  ];
  for (const { name, leftOut, run } of scenarios) {
    if (!isChosen(name)) continue;
    const reason = leftOut?.[bed.language] ?? language.leftOut?.(name);
    if (reason !== undefined) {
      console.log(`left out ${bed.language}: ${name}: ${reason}`);
      continue;
    }
    bed.proxy.begin();
    await run(bed).then(
      () => report(true, `${bed.language}: ${name}`),
      (error) => report(false, `${bed.language}: ${name}`, error),
    );
  }
}

/** Runs the last scenario for all languages at once, because it restarts the service. */
async function restart(languageRuns: readonly LanguageRun[], service: Service): Promise<void> {
  const name = "60 changes, followed while the service restarts";
  if (!isChosen(name)) return;
  const outcomes = await followOverRestart(
    languageRuns.filter(({ language }) => language.leftOut?.(name) === undefined).map(({ bed }) => bed),
    service,
  );
  for (const [language, error] of outcomes) report(error === undefined, `${language}: ${name}`, error);
}

function isChosen(name: string): boolean {
  return options.only === undefined || name.includes(options.only);
}

/** Reads the command line. Prints the help or an error and ends the process if necessary. */
function readOptions() {
  const names = languages.map(({ name }) => name);
  const help = `npm run conformance -- [--language NAME]… [--only TEXT]

  --language NAME  only this client, ${names.join(", ")}; may be repeated
  --only TEXT      only scenarios whose name contains this text
  --help           this text`;
  try {
    const { values } = parseArgs({
      options: {
        language: { type: "string", multiple: true },
        only: { type: "string" },
        help: { type: "boolean" },
      },
    });
    const unknown = values.language?.find((name) => !names.some((each) => each === name));
    if (unknown !== undefined) throw new Error(`There is no client named ${unknown}; there are ${names.join(", ")}.`);
    if (values.help !== true) return values;
    console.log(help);
    process.exit(0);
  } catch (error) {
    console.error(`error: ${(error as Error).message.replace(/\.?$/, ".")} --help lists all options.`);
    process.exit(2);
  }
}

function report(passed: boolean, name: string, error?: unknown): undefined {
  counts[passed ? "passed" : "failed"] += 1;
  console.log(`${passed ? "passed" : "FAILED"}  ${name}`);
  if (error !== undefined) console.log(indented(error instanceof Error ? error.message : String(error)));
}

function indented(text: string): string {
  return text.slice(0, 4_000).replace(/^/gm, "          ");
}

async function makeAccount(service: Service, language: string): Promise<Bed["account"]> {
  const email = `${language}@example.com`;
  const make = async (...keyOptions: string[]) =>
    String((await service.command("keys", "create", "--email", email, "--plan", "partner", ...keyOptions)).key);
  return { email, apiKey: await make(), genresOnlyKey: await make("--permissions", "genres:read") };
}

/** Reads the expected ids, and buys 45 beats so that there are orders to list. */
async function factsOf(service: Service, apiKey: string): Promise<Bed["facts"]> {
  const ids = async (path: string, name: string): Promise<number[]> =>
    (await direct<Record<string, { id: number }[]>>(service, apiKey, path))[name]?.map(({ id }) => id) ?? [];
  const { genres } = await direct<{ genres: { id: number; name: string }[] }>(service, apiKey, "/genres");
  const genre = genres.find((genre) => genre.name === "Techno")?.id ?? 0;
  const beats = await ids(`/beats?limit=100&genre=${genre}`, "beats");
  for (const beat of beats) await direct(service, apiKey, "/orders", { beat_id: beat, payment_method: "pm_card_visa" });
  return {
    genre,
    beats,
    producers: await ids("/producers?limit=100&sort=name", "producers"),
    orders: await ids("/orders?limit=100&status=completed", "orders"),
    searchHits: await ids("/search?limit=50&type=beats&q=lantern", "beats"),
  };
}
