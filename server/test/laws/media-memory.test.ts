import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryForTasks } from "@beatmarket/audio/process/memory-budget.ts";
import { mediaLimits } from "@beatmarket/audio/run-media-task.ts";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

// The worker memory in deploy/ and compose.yaml suffices for a media task of every kind at its limit.

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFile(join(root, path), "utf8");
const largestBytes = Math.max(...Object.values(mediaLimits).map(({ maxMemoryBytes }) => maxMemoryBytes));

/** The number of bytes for a size in the notation of Compose, Kubernetes and systemd. */
function bytes(text: string | undefined): number {
  const [, count, unit] = /^(\d+)(m|Mi|M|g|Gi|G)$/.exec(text ?? "") ?? [];
  return Number(count) * (unit?.toLowerCase().startsWith("g") ? 2 ** 30 : 2 ** 20);
}

interface Deployment {
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: { containers: { resources: { limits: { memory: string } } }[] } } };
}

const memoryLimits: Record<string, () => Promise<string | undefined>> = {
  "compose.yaml": async () => {
    const { services } = parse(await read("compose.yaml"), { merge: true }) as {
      services: Record<string, { mem_limit?: string }>;
    };
    return services.worker?.mem_limit;
  },
  "deploy/kubernetes/beatmarket.yaml": async () => {
    const documents = parseAllDocuments(await read("deploy/kubernetes/beatmarket.yaml")).map((document) =>
      document.toJS(),
    );
    const deployment = documents.find(
      ({ kind, metadata }: Deployment) => kind === "Deployment" && metadata.name === "beatmarket-worker",
    ) as Deployment;
    return deployment.spec.template.spec.containers[0]?.resources.limits.memory;
  },
  "deploy/systemd/beatmarket-worker.service": async () =>
    /^MemoryMax=(.+)$/m.exec(await read("deploy/systemd/beatmarket-worker.service"))?.[1],
};

test.each(Object.keys(memoryLimits))("%s gives a worker enough memory for every kind of media task", async (file) => {
  const constrainedBytes = bytes(await memoryLimits[file]?.());
  expect(constrainedBytes).toBeGreaterThan(0);
  expect(memoryForTasks({ constrainedBytes, machineBytes: 2 ** 40 })).toBeGreaterThanOrEqual(largestBytes);
});
