import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import pino from "pino";
import { afterAll } from "vitest";
import { type TestApi, testApi } from "./api.ts";

/** An API that other programs reach over HTTPS, with the file of its own CA. */
export async function listeningApi(): Promise<{ api: TestApi; origin: string; caFile: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-listening-"));
  afterAll(() => rm(dataDir, { recursive: true }));
  const certificate = await ownCertificate(
    { dataDir, organization: "Beats", hosts: ["localhost"] },
    systemClock,
    pino({ level: "silent" }),
  );
  const api = await testApi({ certificate });
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = api.app.server.address() as AddressInfo;
  return { api, origin: `https://localhost:${port}`, caFile: certificate.caFile };
}
