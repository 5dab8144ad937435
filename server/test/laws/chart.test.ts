import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { chartFingerprint, chartFolder, manifests, manifestsFile, renderChart } from "../../tools/manifests.ts";

// Tests what the chart renders for given values. kubernetes.test.ts checks deploy/kubernetes, the committed rendering.

const root = join(import.meta.dirname, "../../..");
const values = parse(await readFile(join(chartFolder, "values.yaml"), "utf8")) as {
  sizes: Record<string, { beats: number; servers: { min: number; max: number }; workers: number }>;
};

test("deploy/kubernetes is generated from this chart", async () => {
  // If this fails: npm run manifests.
  const [, fingerprint] = /^# chart: (.+)$/m.exec(await readFile(manifestsFile, "utf8")) ?? [];
  expect(fingerprint).toBe(await chartFingerprint());
});

/** The peaks in docs/benchmarks.md, What growth costs, in bytes, by the number of beats. */
async function measuredPeaks(): Promise<[beats: number, bytes: number][]> {
  const text = await readFile(join(root, "docs/benchmarks.md"), "utf8");
  const rows = text.slice(text.indexOf("## What growth costs")).matchAll(/^\| ([\d,]+) \|(?:[^|]+\|){3} ([\d,]+) \|/gm);
  return [...rows].map(([, beats = "", megabytes = ""]) => [
    Number(beats.replaceAll(",", "")),
    Number(megabytes.replaceAll(",", "")) * 1e6,
  ]);
}

/** The memory of a server by the chart's helper, the table of docs/deploying.md and compose.yaml. */
const limitBytes = (beats: number) => (512 + Math.floor((beats * 220) / 2 ** 20)) * 2 ** 20;

describe("the memory of a server", () => {
  test("exceeds 1.1 times the measured peak plus 128 MiB, for every measured number of beats", async () => {
    const peaks = await measuredPeaks();
    expect(peaks.length).toBeGreaterThan(3);
    for (const [beats, bytes] of peaks) expect(limitBytes(beats), String(beats)).toBeGreaterThan(bytes * 1.1 + 2 ** 27);
  });

  test("suffices in compose.yaml for the stated million beats", async () => {
    const text = await readFile(join(root, "compose.yaml"), "utf8");
    const [, megabytes] = /mem_limit: \$\{SERVER_MEMORY:-(\d+)m\}/.exec(text) ?? [];
    expect(Number(megabytes) * 2 ** 20).toBeGreaterThanOrEqual(limitBytes(1_000_000));
  });

  test("is in the table of docs/deploying.md", async () => {
    const text = await readFile(join(root, "docs/deploying.md"), "utf8");
    const rows = [...text.matchAll(/^\| ([\d,]+) \| (\d+) MiB \|$/gm)];
    expect(rows.length).toBeGreaterThan(3);
    for (const [, beats = "", mebibytes] of rows)
      expect(Number(mebibytes) * 2 ** 20, beats).toBe(limitBytes(Number(beats.replaceAll(",", ""))));
  });
});

const hasHelm = spawnSync("helm", ["version"], { stdio: "ignore" }).status === 0;
describe.skipIf(!hasHelm)("rendered by Helm (skipped if no helm is on the PATH)", () => {
  interface Rendered {
    kind: string;
    metadata: { name: string; annotations?: Record<string, string> };
    spec: {
      minReplicas?: number;
      maxReplicas?: number;
      replicas?: number;
      template?: { spec: { containers: { env?: { name: string }[]; resources: { limits: { memory: string } } }[] } };
    };
  }
  const rendered = async (values: Record<string, string> = {}) =>
    parseAllDocuments(await renderChart(values)).map((document) => document.toJS() as Rendered);
  const find = (objects: Rendered[], kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === `beatmarket-${name}`)?.spec;

  test("the manifests equal the committed manifests", async () => {
    expect(await readFile(manifestsFile, "utf8")).toBe(await manifests());
  });

  test.each(Object.entries(values.sizes))(
    "%s has the servers, workers and memory of its size",
    async (size, expected) => {
      const objects = await rendered({ size });
      const scaler = find(objects, "HorizontalPodAutoscaler", "server");
      expect([scaler?.minReplicas, scaler?.maxReplicas]).toEqual([expected.servers.min, expected.servers.max]);
      expect(find(objects, "Deployment", "worker")?.replicas).toBe(expected.workers);
      const [server] = find(objects, "Deployment", "server")?.template?.spec.containers ?? [];
      expect(server?.resources.limits.memory).toBe(`${limitBytes(expected.beats) / 2 ** 20}Mi`);
    },
  );

  test("the number of beats, if set, determines the memory", async () => {
    for (const beats of [0, 1_400_000, 10_000_000]) {
      const objects = await rendered({ size: "small", beats: String(beats) });
      const [server] = find(objects, "Deployment", "server")?.template?.spec.containers ?? [];
      expect(server?.resources.limits.memory, String(beats)).toBe(`${limitBytes(beats) / 2 ** 20}Mi`);
    }
  });

  test("the owner's role is only in the hook that migrates", async () => {
    const objects = await rendered();
    const job = objects.find(({ kind }) => kind === "Job");
    expect(job?.metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
    const pods = objects.filter(({ spec }) => spec?.template !== undefined);
    const podsWithOwnerUrl = pods.filter((pod) => JSON.stringify(pod).includes("DATABASE_OWNER_URL"));
    expect(podsWithOwnerUrl.map(({ metadata }) => metadata.name)).toEqual(["beatmarket-migrate"]);
    expect((await rendered({ ownerSecret: "" })).some(({ kind }) => kind === "Job")).toBe(false);
  });

  test("the values switch off policies, Valkey, the Ingress and the Job, and switch on the monitors", async () => {
    const kinds = async (values: Record<string, string>) => new Set((await rendered(values)).map(({ kind }) => kind));
    const fewest = {
      "ingress.enabled": "false",
      "networkPolicy.enabled": "false",
      "valkey.enabled": "false",
      "config.REDIS_URL": "redis://redis.example.com:6379",
      ownerSecret: "",
    };
    expect([...(await kinds(fewest))].sort()).toEqual(
      ["ConfigMap", "Deployment", "HorizontalPodAutoscaler", "PodDisruptionBudget", "Service"].sort(),
    );
    expect(await kinds({ "serviceMonitor.enabled": "true" })).toContain("ServiceMonitor");
    expect(await kinds({ "serviceMonitor.enabled": "true" })).toContain("PodMonitor");
  });

  test("the policies allow the addresses of an OpenSearch cluster that the values name", async () => {
    const policyText = async (values: Record<string, string>) =>
      JSON.stringify(find(await rendered(values), "NetworkPolicy", "inward"));
    expect(await policyText({})).not.toContain("9200");
    expect(await policyText({ "networkPolicy.opensearch.cidrs": "{192.0.2.20/32,192.0.2.21/32}" })).toContain(
      JSON.stringify({
        to: [{ ipBlock: { cidr: "192.0.2.20/32" } }, { ipBlock: { cidr: "192.0.2.21/32" } }],
        ports: [{ port: 9200 }],
      }),
    );
  });

  test.each([
    [{ size: "huge" }, "size"],
    [{ replicas: "2" }, "replicas"],
    [{ beats: "20000000" }, "/beats"],
    [{ host: "https://api.example.com" }, "host"],
    [{ "config.SECRET_KEY": "x" }, "config.SECRET_KEY is a secret"],
    [{ "config.PUBLIC_URL": "https://a.example" }, "config.PUBLIC_URL follows from host"],
    [{ "valkey.enabled": "false" }, "set config.REDIS_URL"],
    [{ "config.REDIS_URL": "redis://a:6379" }, "remove config.REDIS_URL"],
    [{ "server.maxReplicas": "1" }, "raise the former"],
    [{ "networkPolicy.database.cidrs": "{db.example.com}" }, "cidrs"],
    [{ "networkPolicy.opensearch.cidrs": "{search.example.com}" }, "cidrs"],
  ] as [Record<string, string>, string][])("%j is refused", async (wrong, message) => {
    await expect(renderChart(wrong)).rejects.toThrow(message);
  });
});
