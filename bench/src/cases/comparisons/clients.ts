import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bench } from "../../bench.ts";

const run = promisify(execFile);

/**
 * The command that measures each client, and two limits: CPU time of a call as a multiple of the bare call's, and the
 * time that importing adds to an empty process as a multiple of that process's.
 */
const languages = [
  { name: "javascript", command: [process.execPath, "bench.mjs"], cpu: 1.5, imports: 1 },
  { name: "python", command: ["python3", "bench.py"], cpu: 1.5, imports: 4 },
  { name: "php", command: ["php", "bench.php"], cpu: 1.5, imports: 1 },
  { name: "ruby", command: ["ruby", "bench.rb"], cpu: 1.5, imports: 2 },
] as const;

/** What clients/<language>/bench.* prints; clients/conformance/README.md defines the numbers. */
interface Measured {
  import_ms: number;
  idle_ms: number;
  call_ms: number;
  bare_ms: number;
  call_cpu_ms: number;
  bare_cpu_ms: number;
  growth_kb: number;
}

/** The size of a few pages: an iteration holds no more, whatever the number of pages. */
const fewPagesKb = 4_096;

/**
 * Each client library against its language's bare HTTP, in one run of the language's own measurement. Skips
 * languages that are not installed.
 */
export async function clientLibraries({ origin, key, caFile, report, say }: Bench): Promise<void> {
  const env = {
    ...process.env,
    BEATMARKET_BASE_URL: `${origin}/v1`,
    BEATMARKET_API_KEY: key,
    BEATMARKET_CA_FILE: caFile,
  };
  for (const { name, command, cpu, imports } of languages) {
    const [program, file] = command;
    const path = fileURLToPath(new URL(`../../../../clients/${name}/${file}`, import.meta.url));
    try {
      await run(program, ["--version"]);
    } catch {
      say(`clients: ${name} is not on this machine`);
      continue;
    }
    const { stdout } = await run(program, [path], { env });
    const its = JSON.parse(stdout) as Measured;
    const row = (what: string, value: number, unit: string, target: { max: number } | null) =>
      report({ case: `clients: ${name} ${what}`, value, unit, target });
    row("import", its.import_ms, "ms", null);
    row("import to an empty process", its.import_ms / its.idle_ms, "times", { max: imports });
    row("a call", its.call_ms, "ms", null);
    row("over bare HTTP", (its.call_ms / its.bare_ms - 1) * 100, "%", null);
    row("CPU of a call to the bare call", its.call_cpu_ms / its.bare_cpu_ms, "times", { max: cpu });
    row("growth over 90,000 beats", its.growth_kb, "kB", { max: fewPagesKb });
  }
}
