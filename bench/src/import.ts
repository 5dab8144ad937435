import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { beatmarket } from "./programs.ts";

/** Loads the real catalogue into an empty database of its own and reports rows a second, start-up included. */
export async function importSpeed(bench: Bench, catalogue: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-bench-import-"));
  try {
    await beatmarket(["migrate"], { DATA_DIR: dataDir });
    const startedMs = performance.now();
    const result = JSON.parse(
      await beatmarket(
        ["import", catalogue, "--map", "tracks_231k", "--rejects", join(dataDir, "rejects.jsonl"), "--json"],
        {
          DATA_DIR: dataDir,
        },
      ),
    ) as { created: number; updated: number; unchanged: number; rejected: number };
    const seconds = (performance.now() - startedMs) / 1000;
    const rows = result.created + result.updated + result.unchanged + result.rejected;
    bench.report({ case: "import: rows", value: rows, unit: "rows", reach: null });
    bench.report({ case: "import: speed", value: rows / seconds, unit: "rows/s", reach: { min: 20_000 } });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
