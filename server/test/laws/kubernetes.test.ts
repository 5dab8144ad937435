import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { BlockList } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { maxWaitSeconds } from "@beatmarket/http/long-polls.ts";
import * as apps from "kubernetes-models/apps/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v2";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../src/config.ts";
import { maxBytesOf } from "../../src/resources/uploads/upload.ts";

// Checks deploy/kubernetes, which is the rendered chart (chart.test.ts), against Kubernetes' schemas, the image and the
// settings.

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "deploy/kubernetes");
const run = promisify(execFile);

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec: {
    selector?: { matchLabels?: Labels };
    template?: {
      metadata: { labels: Labels };
      spec: { containers: Container[]; securityContext?: object; volumes?: Volume[] };
    };
    egress?: { to: { ipBlock?: { cidr: string; except?: string[] } }[]; ports?: { port: number | string }[] }[];
    ports?: { port: number; name: string; targetPort: string }[];
    rules?: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
  };
}
type Labels = Record<string, string>;
interface Volume {
  name: string;
  emptyDir: { sizeLimit: string };
}
interface Container {
  image: string;
  args: string[];
  env?: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  securityContext?: object;
}

const kustomization = parse(await readFile(join(folder, "kustomization.yaml"), "utf8")) as {
  resources: string[];
  images: { name: string }[];
};
const resources = (
  await Promise.all(
    kustomization.resources.map(async (file) =>
      parseAllDocuments(await readFile(join(folder, file), "utf8")).map((document) => document.toJS() as Resource),
    ),
  )
).flat();
const objectNamed = (kind: string, name: string) =>
  resources.find((resource) => resource.kind === kind && resource.metadata.name === name);
const containersOf = ({ spec }: Resource): Container[] => spec?.template?.spec.containers ?? [];

const models = {
  v1: core,
  "apps/v1": apps,
  "autoscaling/v2": autoscaling,
  "networking.k8s.io/v1": networking,
  "policy/v1": policy,
} as unknown as Record<string, Record<string, new (resource: object) => { validate(): void }>>;

/** Throws if a value violates the schema of its kind. */
function validate({ apiVersion, kind, ...fields }: Resource): void {
  const model = models[apiVersion]?.[kind];
  if (model === undefined) throw new Error(`No schema for ${kind} of ${apiVersion}.`);
  new model(fields).validate();
}

/**
 * Checks each manifest against the TypeScript type of its kind, and returns the compiler's errors. The schemas accept
 * unknown fields, but the types do not.
 */
async function typeFaults(values: readonly Resource[]): Promise<string> {
  const program = values.map(({ apiVersion, kind, ...fields }, index) => {
    const value = JSON.stringify({ apiVersion, kind, ...fields });
    return `export const v${index}: import("kubernetes-models/${apiVersion}").I${kind} = ${value};`;
  });
  // The file is next to this one, so that the compiler finds the packages.
  const scratch = await mkdtemp(join(import.meta.dirname, ".manifests-"));
  onTestFinished(() => rm(scratch, { recursive: true }));
  const file = join(scratch, "manifests.ts");
  await writeFile(file, program.join("\n"));
  const options = "--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target esnext --types node";
  const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
  const outcome = await run(process.execPath, [compiler, ...options.split(" "), file], { cwd: scratch }).catch(
    (error: { stdout: string }) => error,
  );
  return outcome.stdout;
}

test("every manifest is listed, and the schema of its kind accepts it", async () => {
  const files = (await readdir(folder)).filter((file) => file !== "kustomization.yaml");
  expect(kustomization.resources.toSorted()).toEqual(files.sort());
  expect(resources.length).toBeGreaterThan(7);
  for (const resource of resources) validate(resource);
  // The same call also checks a faulty manifest, so that the compiler starts only once.
  const server = objectNamed("Deployment", "beatmarket-server") as Resource;
  const misspelt = { ...server, spec: { ...server.spec, replicsa: 2 } };
  const faults = (await typeFaults([...resources, misspelt])).trim().split("\n");
  expect(faults).toEqual([expect.stringContaining('"replicsa"\' does not exist')]);
});

test("a wrong type is detected", () => {
  const server = objectNamed("Deployment", "beatmarket-server") as Resource;
  const planted = { ...server, spec: { ...(server.spec as object), replicas: "2" } };
  expect(() => validate(planted as never)).toThrow("must be integer");
});

test("every selector, port and backend names an existing object", () => {
  for (const { spec, kind } of resources) {
    const labels = spec?.selector?.matchLabels;
    if (kind === "Deployment")
      expect(spec.template?.metadata.labels).toMatchObject(labels ?? { missing: "a selector" });
  }
  for (const { kind, spec, metadata } of resources.filter((resource) => resource.kind === "Service")) {
    const target = objectNamed("Deployment", metadata.name);
    expect(`${kind} ${JSON.stringify(spec.selector)}`).toBe(
      `Service ${JSON.stringify(target?.spec.selector?.matchLabels)}`,
    );
    const ports = containersOf(target as Resource).flatMap((container) => container.ports ?? []);
    expect(ports.map(({ name }) => name)).toEqual(spec.ports?.map(({ targetPort }) => targetPort));
  }
  const backends = objectNamed("Ingress", "beatmarket")?.spec.rules?.flatMap(({ http }) => http.paths) ?? [];
  expect(backends.map(({ backend }) => backend.service)).toEqual([
    { name: "beatmarket-server", port: { name: "http" } },
  ]);
});

test("containers run our image with an existing command, or another image of a pinned major version", async () => {
  const containers = resources.flatMap(containersOf);
  const ownContainers = containers.filter(({ image }) => image.startsWith(`${kustomization.images[0]?.name}:`));
  expect(ownContainers.map(({ args }) => args)).toEqual([["serve", "--no-worker"], ["worker"]]);
  for (const { image } of containers.filter((container) => !ownContainers.includes(container)))
    expect(image).toMatch(/:\d+$/);
  const dockerfile = await readFile(join(root, "Dockerfile"), "utf8");
  expect(dockerfile).toContain(`EXPOSE ${ownContainers[0]?.ports?.[0]?.containerPort}`);
});

test("a worker serves metrics on a port that its network policy opens", () => {
  const [worker] = containersOf(objectNamed("Deployment", "beatmarket-worker") as Resource);
  expect(worker?.env).toEqual([{ name: "WORKER_METRICS_PORT", value: String(worker?.ports?.[0]?.containerPort) }]);
  expect(objectNamed("NetworkPolicy", "beatmarket-worker")?.spec).toMatchObject({
    podSelector: { matchLabels: objectNamed("Deployment", "beatmarket-worker")?.spec.selector?.matchLabels },
    ingress: [{ ports: [{ port: worker?.ports?.[0]?.name }] }],
  });
});

test("every pod runs as an unprivileged user, on a read-only root, without capabilities", () => {
  const pods = resources.filter(({ kind }) => kind === "Deployment");
  expect(pods.length).toBe(3);
  for (const pod of pods) {
    expect(pod.spec.template?.spec.securityContext, pod.metadata.name).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { securityContext } of containersOf(pod))
      expect(securityContext, pod.metadata.name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  }
});

test("the settings exist, and have valid values", () => {
  const data = objectNamed("ConfigMap", "beatmarket")?.data ?? {};
  const secret = { DATABASE_URL: "postgres://beatmarket@postgres/beatmarket", SECRET_KEY: "x".repeat(32) };
  const read = new Set<string>();
  const environment = { ...data, ...secret };
  const config = readConfig(
    new Proxy(environment, {
      get: (target, name) => {
        read.add(String(name));
        return target[name as never];
      },
    }),
  );
  expect(Object.keys(environment).filter((name) => !read.has(name))).toEqual([]);
  expect(URL.parse(config.redisUrl ?? "")?.hostname).toBe(objectNamed("Service", "beatmarket-valkey")?.metadata.name);
});

test("the ingress streams large uploads, allows long polls, and spreads requests without a key over all pods", () => {
  const annotations = objectNamed("Ingress", "beatmarket")?.metadata.annotations ?? {};
  const annotation = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`] ?? "";
  // 0 removes the proxy's limit. The server has a limit for each kind of body.
  expect(annotation("proxy-body-size")).toBe("0");
  expect(annotation("proxy-request-buffering")).toBe("off");
  expect(annotation("proxy-buffering")).toBe("off");
  for (const name of ["proxy-read-timeout", "proxy-send-timeout"])
    expect(Number(annotation(name)), name).toBeGreaterThan(maxWaitSeconds);
  // Without a key, $http_authorization is empty, so that it would always select the same pod.
  expect(annotation("upstream-hash-by")).toContain("$http_authorization");
  expect(annotation("upstream-hash-by").replace("$http_authorization", "")).toMatch(/\$(remote_addr|request_id)/);
});

test("a worker has disk space for its jobs, each with the largest file and the derived files", () => {
  // Two jobs on up to eight processors, and one rendition (docs/operating.md, Media jobs).
  const jobs = 3;
  const data = objectNamed("Deployment", "beatmarket-worker")?.spec.template?.spec.volumes?.find(
    ({ name }) => name === "data",
  );
  const bytes = Number(/^(\d+)Gi$/.exec(data?.emptyDir.sizeLimit ?? "")?.[1]) * 2 ** 30;
  expect(bytes).toBeGreaterThanOrEqual(jobs * 2 * Math.max(...Object.values(maxBytesOf)));
});

const insideNetworks = [
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.1",
  "192.168.1.1",
  "100.64.0.1",
  "169.254.169.254",
  "127.0.0.1",
];
const insideNetworks6 = ["fc00::1", "fd00:ec2::254", "fe80::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "::1"];

test.each([...insideNetworks, ...insideNetworks6])("no rule for public addresses lets pods reach %s", (address) => {
  const family = address.includes(":") ? "ipv6" : "ipv4";
  const world = resources
    .filter(({ kind }) => kind === "NetworkPolicy")
    .flatMap(({ spec }) => spec.egress ?? [])
    .flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
    .filter(({ cidr }) => cidr === (family === "ipv6" ? "::/0" : "0.0.0.0/0"));
  expect(world).toHaveLength(1);
  const closed = new BlockList();
  for (const network of world[0]?.except ?? []) {
    const [base = "", bits = ""] = network.split("/");
    closed.addSubnet(base, Number(bits), family);
  }
  expect(closed.check(address, family)).toBe(true);
});

test("each rule for a private network names ports, and at most a /24", () => {
  const rules = objectNamed("NetworkPolicy", "beatmarket-inward")?.spec.egress ?? [];
  for (const { to, ports } of rules) {
    expect(ports?.length).toBeGreaterThan(0);
    for (const { ipBlock } of to) expect(Number(ipBlock?.cidr.split("/")[1])).toBeGreaterThanOrEqual(24);
  }
});
