import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
export const chartFolder = join(root, "deploy/helm/beat-marketplace");
export const manifestsFile = join(root, "deploy/kubernetes/beatmarket.yaml");

/** A hash of the names and contents of the chart's files. */
export async function chartFingerprint(): Promise<string> {
  const entries = await readdir(chartFolder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hash = createHash("sha256");
  for (const path of paths.sort())
    hash
      .update(`${path.slice(chartFolder.length)}\0`)
      .update(await readFile(path))
      .update("\0");
  return hash.digest("hex");
}

/**
 * Renders the chart as a release named beatmarket. `values` are the settings of `--set`. Rejects with Helm's message.
 */
export async function renderChart(values: Record<string, string> = {}, helm = "helm"): Promise<string> {
  const set = Object.entries(values).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  const parameters = ["template", "beatmarket", chartFolder, "--namespace", "beatmarket", ...set];
  return (await promisify(execFile)(helm, parameters, { maxBuffer: 2 ** 24 })).stdout;
}

/**
 * The text of deploy/kubernetes/beatmarket.yaml: the chart with default values, without the hook, which only Helm runs.
 */
export async function manifests(helm?: string): Promise<string> {
  const header = [
    "# Made by npm run manifests from deploy/helm/beat-marketplace: change that, or the values there (docs/deploying.md, Kubernetes).",
    `# chart: ${await chartFingerprint()}`,
  ];
  return `${header.join("\n")}\n${await renderChart({ ownerSecret: "" }, helm)}`;
}
