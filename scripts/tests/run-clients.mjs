import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "server/src/main.ts");
const languages = ["javascript", "python", "php", "ruby", "go"];

/**
 * Runs the tests of each client library with the language's own runner (clients/<language>/run-tests), against a server
 * with the demo catalogue. Returns the counts of passed and failed tests, and the names of the clients that failed.
 * @param {NodeJS.ProcessEnv} env with Node 26 first on the path
 * @param {Set<string>} missing the clients without their requirements: skipped, or failed if CI is true
 * @param {(text: string) => unknown} print
 */
export async function testClients(env, missing, print = (text) => process.stdout.write(text)) {
  const counts = { passed: 0, failed: 0, failures: [] };
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-clients-"));
  const server = await startServer(folder, env, print);
  const running = { group: 0 };
  let interruption;
  const interrupt = (signal) => {
    interruption = signal;
    // The signal goes to the process group, as a terminal would send it, so that the runner can clean up.
    if (running.group !== 0) process.kill(-running.group, "SIGINT");
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    for (const language of languages) {
      if (interruption !== undefined) break;
      if (missing.has(language)) {
        print(`\nskipped: the tests of the ${language} client\n`);
        if (env.CI === "true") {
          counts.failed += 1;
          counts.failures.push(`the ${language} client's tests: their requirements are missing`);
        }
        continue;
      }
      const program = join(root, "clients", language, "run-tests");
      if (!existsSync(program)) throw new Error(`${program} is missing.`);
      print(`\nThe tests of the ${language} client:\n`);
      const { passed, failed } = await runTests(program, { ...env, ...server.env }, running, print);
      counts.passed += passed;
      counts.failed += failed;
      if (failed > 0) counts.failures.push(`the ${language} client's tests (${failed})`);
    }
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    if (interruption !== undefined) process.kill(process.pid, interruption);
  }
  return counts;
}

/**
 * Prints a runner's output and parses its last line. Without that line, or with an exit status other than 0, at least
 * one test counts as failed.
 */
async function runTests(program, env, running, print) {
  const child = spawn(program, [], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  running.group = child.pid ?? 0;
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    print(text);
    printed = (printed + text).slice(-10_000);
  });
  child.stderr.setEncoding("utf8").on("data", print);
  const code = await new Promise((settle) => {
    child.on("error", () => settle(1));
    child.on("close", settle);
  });
  running.group = 0;
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(printed) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1 };
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(1, Number(failed)) };
}

/** Starts a server and creates an API key without limits. */
async function startServer(folder, env, print) {
  const port = await freePort();
  const environment = {
    ...env,
    DATA_DIR: folder,
    DATABASE_URL: "",
    PORT: String(port),
    PUBLIC_URL: `https://localhost:${port}`,
    LOG_LEVEL: "error",
  };
  const child = spawn("node", [main, "serve"], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  child.stderr.setEncoding("utf8").on("data", print);
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await new Promise((settle) => child.on("exit", settle));
  };
  process.once("exit", () => child.kill("SIGKILL"));
  await new Promise((settle, fail) => {
    let printed = "";
    child.stdout.on("data", (text) => {
      printed += text;
      if (printed.includes("ready:")) settle();
    });
    child.once("exit", (code) => fail(new Error(`The server for the clients' tests ended with status ${code}.`)));
  });
  const words = ["keys", "create", "--email", "clients@example.com", "--plan", "internal", "--json"];
  const { key } = JSON.parse(execFileSync("node", [main, ...words], { env: environment, encoding: "utf8" }));
  return {
    stop,
    env: {
      BEATMARKET_TEST_BASE_URL: `https://localhost:${port}/v1`,
      BEATMARKET_TEST_API_KEY: key,
      BEATMARKET_TEST_CA_FILE: join(folder, "tls/ca.pem"),
    },
  };
}

/** An unused port. */
function freePort() {
  return new Promise((settle) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => settle(port));
    });
  });
}
