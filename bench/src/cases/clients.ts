import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bench } from "../bench.ts";

const run = promisify(execFile);

/** How each language's own measurement is started, and what importing the client may cost. */
const languages = [
  { name: "javascript", command: [process.execPath, "bench.mjs"], importMs: 100 },
  { name: "python", command: ["python3", "bench.py"], importMs: 150 },
  { name: "php", command: ["php", "bench.php"], importMs: 100 },
  { name: "ruby", command: ["ruby", "bench.rb"], importMs: 100 },
] as const;

/** What clients/<language>/bench.* prints; clients/conformance/README.md says what the numbers are. */
interface Measured {
  import_ms: number;
  call_ms: number;
  bare_ms: number;
  growth_kb: number;
}

/** Flat is what stays below the size of a few pages, however many there were. */
const flatKb = 4_096;

/**
 * Each client library against its language's bare HTTP, in one run of the language's own measurement. A machine without
 * a language measures the others.
 */
export async function clientLibraries({ origin, key, caFile, report, say }: Bench): Promise<void> {
  const env = {
    ...process.env,
    BEATMARKET_BASE_URL: `${origin}/v1`,
    BEATMARKET_API_KEY: key,
    BEATMARKET_CA_FILE: caFile,
  };
  for (const { name, command, importMs } of languages) {
    const [program, file] = command;
    const path = fileURLToPath(new URL(`../../../clients/${name}/${file}`, import.meta.url));
    try {
      await run(program, ["--version"]);
    } catch {
      say(`clients: ${name} is not on this machine`);
      continue;
    }
    const { stdout } = await run(program, [path], { env });
    const measured = JSON.parse(stdout) as Measured;
    const overhead = (measured.call_ms / measured.bare_ms - 1) * 100;
    report({ case: `clients: ${name} import`, value: measured.import_ms, unit: "ms", reach: { max: importMs } });
    report({ case: `clients: ${name} a call`, value: measured.call_ms, unit: "ms", reach: null });
    report({ case: `clients: ${name} over bare HTTP`, value: overhead, unit: "%", reach: { max: 15 } });
    report({
      case: `clients: ${name} growth over 90,000 beats`,
      value: measured.growth_kb,
      unit: "kB",
      reach: { max: flatKb },
    });
  }
}
