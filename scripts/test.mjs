import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePortalBuilt } from "./build-portal.mjs";
import { ensureInstalled } from "./node/install-packages.mjs";
import { node26 } from "./node/node26.mjs";
import { canInstallFromDebian } from "./tests/debian.mjs";
import { hasPackageDatabase, writeDeclaredPath } from "./tests/declared-path.mjs";
import { HeldOutput } from "./tests/held-output.mjs";
import { needsOf } from "./tests/needs.mjs";
import { allRequirements, ensureRequirements } from "./tests/requirements.mjs";
import { testClients } from "./tests/run-clients.mjs";

// `npm test`: installs what is missing, runs every check and every test, ends with the line "N passed, N failed".
// `npm test -- beats`: only the test files whose path contains "beats".

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const isWatched = process.stdout.isTTY === true;
/** The import laws are a test (server/test/laws/architecture.test.ts). */
const checks = [
  ["Biome", "biome", ["ci", `--colors=${isWatched ? "force" : "off"}`, "."]],
  // The compiler in Go. Other tools load the library "typescript".
  ["TypeScript", "../@typescript/native/bin/tsc", ["-b", ".", "portal", "clients/javascript"]],
  ["knip", "knip", ["--no-progress"]],
  ["OpenAPI documents", "redocly", ["lint", "contract/openapi.json", "contract/portal-openapi.json"]],
];

const counts = { passed: 0, failed: 0 };
/** The names of failures, which are printed again at the end, where a reader of a long log looks. */
const failures = [];
try {
  await runAll(process.argv.slice(2));
} catch (error) {
  console.error(`error: ${error.message}`);
  counts.failed += 1;
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join("\n")}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

async function runAll(patterns) {
  await ensureInstalled({ dev: true });
  const needs =
    patterns.length === 0 ? { requirements: allRequirements, portal: true } : needsOf(root, patterns, allRequirements);
  if (needs.portal) await ensurePortalBuilt();
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-path-"));
  try {
    const searchPath = searchPathOfTests(folder);
    const missingClients = ensureRequirements(needs.requirements, searchPath);
    await runChecksAndTests(patterns, searchPath(), missingClients);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Returns a function that returns the PATH of the tests. In a CI run that can install missing programs, the PATH has
 * only the declared programs, so that a manually installed program cannot hide a missing declaration.
 */
function searchPathOfTests(folder) {
  if (process.env.CI !== "true" || !canInstallFromDebian() || !hasPackageDatabase) return () => process.env.PATH ?? "";
  const packages = allRequirements.flatMap((requirement) => requirement.packages);
  return () => writeDeclaredPath(folder, packages);
}

async function runChecksAndTests(patterns, searchPath, missingClients) {
  const env = {
    // Without a locale, Ruby and Chromium treat texts as ASCII.
    LANG: "C.UTF-8",
    ...process.env,
    PATH: [dirname(node26()), join(root, "node_modules/.bin"), searchPath].join(delimiter),
    ...(!isWatched && { NO_COLOR: "1" }),
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
  if (patterns.length > 0) return add(await runTests(env, patterns));
  // TypeScript, knip and tests read the file that this step writes.
  add(await runCheck(env, "Types of the portal's calls", "node", ["server/tools/portal-types.main.ts"]));
  // Many tests wait for other programs, so the checks and the clients' tests run at the same time as the tests.
  const output = new HeldOutput();
  const tasks = [
    runTests(env, [])
      .then(add)
      .finally(() => output.release()),
    runChecks(env)
      .then(() => testClients(env, missingClients, output.print))
      .then(add),
  ];
  for (const task of await Promise.allSettled(tasks)) if (task.status === "rejected") throw task.reason;
}

async function runChecks(env) {
  for (const check of checks) add(await runCheck(env, ...check));
}

function add({ passed, failed, failures: names }) {
  counts.passed += passed;
  counts.failed += failed;
  failures.push(...names);
}

/** Runs one static check; prints its output only if it fails. */
async function runCheck(env, name, program, parameters) {
  const startMs = performance.now();
  const { code, output } = await run(env, program, parameters, "pipe");
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? "passed" : "FAILED"}  ${name} (${seconds} s)`);
  if (code === 0) return { passed: 1, failed: 0, failures: [] };
  console.log(output);
  return { passed: 0, failed: 1, failures: [name] };
}

/** Runs Vitest, which reports to the terminal, and reads the counts that its second reporter writes. */
async function runTests(env, files) {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-counts-"));
  const file = join(folder, "counts.json");
  const reporters = ["--reporter=default", "--reporter=./scripts/tests/counting-reporter.mjs"];
  const { code } = await run({ ...env, COUNTS_FILE: file }, "vitest", ["run", ...reporters, ...files], "inherit");
  const { passed, failures: names } = existsSync(file)
    ? JSON.parse(await readFile(file, "utf8"))
    : { passed: 0, failures: [] };
  await rm(folder, { recursive: true });
  // A run that fails without a failed test, such as a run without tests, counts as one failure.
  if (names.length === 0 && code !== 0) names.push("Vitest failed, although no test failed");
  return { passed, failed: names.length, failures: names };
}

/** Runs an installed program without input and waits for its end. */
function run(env, program, parameters, out) {
  return new Promise((settle) => {
    const child = spawn(join(root, "node_modules/.bin", program), parameters, {
      cwd: root,
      env,
      stdio: ["ignore", out, out],
    });
    let output = "";
    const keep = (text) => {
      output += text;
    };
    child.stdout?.setEncoding("utf8").on("data", keep);
    child.stderr?.setEncoding("utf8").on("data", keep);
    child.on("error", (error) => settle({ code: 1, output: `${output}${error.message}\n` }));
    child.on("close", (code) => settle({ code: code ?? 1, output }));
  });
}
