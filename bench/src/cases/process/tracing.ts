import { once } from "node:events";
import { copyFile, mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Bench, Service } from "../../bench.ts";
import { loadOf, tlsFiles } from "../../load/compare-with-bare.ts";
import { shuffled } from "../../load/shuffle.ts";
import { inTurns, medianOf, shareOf } from "../../load/turns.ts";
import { freePort } from "../../processes/free-port.ts";
import { serve } from "../../processes/programs.ts";
import { firstResponse } from "./start.ts";

const targetRatio = 0.85;

/** Two servers on one database, one of which sends traces with the settings that it has unless told otherwise. */
export async function tracing(bench: Bench): Promise<void> {
  const collector = createServer((request, response) => {
    request.resume().on("end", () => response.end());
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const off = await startBeside(bench, "untraced", {});
  const on = await startBeside(bench, "traced", { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  try {
    await compare(bench, off.service, on.service, "GET /beats, warm, traced", () => ["/v1/beats"]);
    const ids = shuffled(bench.beats);
    const share = Math.floor(ids.length / (bench.rounds + 1));
    const different = (round: number) => ids.slice(round * share, (round + 1) * share).map((id) => `/v1/beats/${id}`);
    await compare(bench, off.service, on.service, "GET /beats/{id}, every id different, traced", different);
  } finally {
    await off.stop();
    await on.stop();
    collector.close();
  }
}

async function compare(bench: Bench, off: Service, on: Service, name: string, paths: (round: number) => string[]) {
  const sides = await inTurns(bench, name, {
    off: { load: (round) => loadOf(bench, off, paths(round)) },
    on: { load: (round) => loadOf(bench, on, paths(round)) },
  });
  for (const side of ["off", "on"] as const)
    bench.report({
      case: `${name}: ${side}`,
      value: medianOf(sides[side], "requestsPerSecond"),
      unit: "requests/s",
      target: null,
    });
  const value = shareOf(sides.on, sides.off);
  bench.report({ case: `${name}: ratio`, value, unit: "of off", target: { min: targetRatio } });
}

/** A further server on the database of the bench, warmed up by a round of its own. */
async function startBeside(bench: Bench, name: string, settings: Record<string, string>) {
  const { key: keyFile, certificate } = tlsFiles(bench.dataDir);
  const dataDir = join(bench.dataDir, name);
  await mkdir(dataDir, { recursive: true });
  await copyFile(join(bench.dataDir, "secret-key"), join(dataDir, "secret-key"));
  const port = await freePort();
  const running = await serve({
    ...bench.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: bench.databaseUrl,
    STORAGE_URL: `file://${join(bench.dataDir, "objects")}`,
    TLS_KEY: keyFile,
    TLS_CERT: certificate,
    ...settings,
  });
  const service = { origin: `https://localhost:${port}`, key: bench.key, caFile: bench.caFile };
  await firstResponse(`${service.origin}/v1/beats`, bench.key);
  const paths = shuffled(bench.beats).map((id) => `/api/v1/beats/${id}`);
  await inTurns({ rounds: 1, report: () => {} }, name, {
    warmUp: { load: () => loadOf({ seconds: 3 }, service, paths) },
  });
  return { service, stop: running.stop };
}
