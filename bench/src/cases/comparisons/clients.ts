import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bench } from "../../bench.ts";
import { median } from "../../report/statistics.ts";

const run = promisify(execFile);

/**
 * For each client: the command that measures it, in its folder, and a command that succeeds if the language is
 * installed.
 */
const languages = [
  { name: "javascript", command: [process.execPath, "bench.mjs"], version: "--version" },
  { name: "python", command: ["python3", "bench.py"], version: "--version" },
  { name: "php", command: ["php", "bench.php"], version: "--version" },
  { name: "ruby", command: ["ruby", "bench.rb"], version: "--version" },
  { name: "go", command: ["go", "run", "./bench"], version: "version" },
] as const;

/** The limit for the CPU time of a call, as a multiple of the CPU time of a bare call. */
const maxCpuRatio = 1.15;
/**
 * The limit for the start of a process that imports the client, as a multiple of one that imports only the HTTP
 * library.
 */
const maxImportRatio = 1.3;

/** The output of clients/<language>/bench.*; clients/conformance/README.md defines the numbers. */
interface ClientFigures {
  import_ms: number;
  http_import_ms: number;
  idle_ms: number;
  call_ms: number;
  bare_ms: number;
  call_cpu_ms: number;
  bare_cpu_ms: number;
  growth_kb: number;
  /** Only for JavaScript: the size of the modules that a page imports. */
  bundle_kb?: Record<string, number>;
}

/** The limit for memory that grows between 10,000 and 100,000 iterated beats: the size of a few pages, 4 MB. */
const fewPagesKb = 4_096;
/** How often each language is measured, every time in a new process. The medians count. */
const rounds = 3;

/**
 * Compares each client library with bare HTTP in its language: medians of runs of the language's own measurement, one
 * language after the other in each round. Skips languages that are not installed.
 */
export async function clientLibraries({ origin, key, caFile, report, say }: Bench): Promise<void> {
  const env = {
    ...process.env,
    BEATMARKET_BASE_URL: `${origin}/v1`,
    BEATMARKET_API_KEY: key,
    BEATMARKET_CA_FILE: caFile,
  };
  const measured = new Map<string, ClientFigures[]>();
  for (const { name, command, version } of languages) {
    if (await isInstalled(command[0], version)) measured.set(name, []);
    else say(`clients: ${name} is not on this machine`);
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { name, command } of languages) {
      const [program, ...args] = command;
      const cwd = fileURLToPath(new URL(`../../../../clients/${name}`, import.meta.url));
      const measurements = measured.get(name);
      if (measurements === undefined) continue;
      try {
        measurements.push(JSON.parse((await run(program, args, { cwd, env })).stdout) as ClientFigures);
      } catch (error) {
        // The other languages still count after an error.
        measured.delete(name);
        report({ case: `clients: ${name}`, value: null, unit: `failed: ${(error as Error).message}`, target: null });
      }
    }
  for (const [name, value] of measured) {
    const medianOf = (figure: (figures: ClientFigures) => number) => median(value.map(figure));
    const row = (
      label: string,
      figure: (figures: ClientFigures) => number,
      unit: string,
      target: { max: number } | null,
    ) => report({ case: `clients: ${name} ${label}`, value: medianOf(figure), unit, target });
    row("import", (figures) => figures.import_ms, "ms", null);
    row("process with the import", importRatio, "× one with only the HTTP library", { max: maxImportRatio });
    row("a call", (figures) => figures.call_ms, "ms", null);
    row("a call, in addition to bare HTTP", (figures) => (figures.call_ms / figures.bare_ms - 1) * 100, "%", null);
    row("CPU of a call", (figures) => figures.call_cpu_ms / figures.bare_cpu_ms, "× the CPU time of bare HTTP", {
      max: maxCpuRatio,
    });
    row("growth over 90,000 beats", (figures) => figures.growth_kb, "kB", { max: fewPagesKb });
    // The ceilings are in clients/javascript/test/bundles.ts.
    for (const part of Object.keys(value[0]?.bundle_kb ?? {}))
      row(`bundle of ${part}`, (figures) => figures.bundle_kb?.[part] ?? Number.NaN, "kB", null);
  }
}

const importRatio = ({ idle_ms, import_ms, http_import_ms }: ClientFigures): number =>
  (idle_ms + import_ms) / (idle_ms + http_import_ms);

async function isInstalled(program: string, version: string): Promise<boolean> {
  return await run(program, [version]).then(
    () => true,
    () => false,
  );
}
