import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, parseAllDocuments, stringify } from "yaml";
import { chartFolder, manifests as chartManifests, manifestsFile, renderChart } from "../../../tools/manifests.ts";
import type { Case } from "../case.ts";
import { type Finished, run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const manifests = join(import.meta.dirname, "../../../../deploy/kubernetes");

interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string };
  spec?: { template?: { spec: { containers: { image: string }[] } } };
}

interface Kustomization {
  namespace: string;
  resources: string[];
  images: { name: string; newName: string; newTag: string }[];
}

/** The manifests as `kubectl apply --kustomize` applies them: in their namespace, with the registry's image. */
async function rendered(): Promise<Manifest[]> {
  const read = (file: string) => readFile(join(manifests, file), "utf8");
  const { namespace, resources, images } = parse(await read("kustomization.yaml")) as Kustomization;
  const files = await Promise.all(resources.map(read));
  const allManifests = files.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
  for (const { kind, metadata, spec } of allManifests) {
    if (kind !== "Namespace") metadata.namespace = namespace;
    for (const container of spec?.template?.spec.containers ?? []) {
      const ownImage = images.find(({ name }) => name === container.image);
      if (ownImage !== undefined) container.image = `${ownImage.newName}:${ownImage.newTag}`;
    }
  }
  return allManifests;
}

const withWrongReplicas = (manifest: Manifest): object => ({
  ...manifest,
  spec: { ...manifest.spec, replicas: "two" },
});

export const kubernetesCase: Case = {
  name: "kubernetes",
  about:
    "the chart of every size by Helm, and deploy/kubernetes as it is applied: kubernetes-validate with the schemas of Kubernetes, checkov with its policies",
  run: async (bench, report) => {
    const tool = await bench.install(tools.kubernetesValidate);
    const policies = await bench.install(tools.checkov);
    const cwd = await bench.folder();
    const allManifests = await rendered();
    // The tools read YAML 1.1, in which a bare "no" is false.
    const write = async (name: string, documents: readonly object[]) => {
      await writeFile(
        join(cwd, name),
        documents.map((document) => stringify(document, { version: "1.1" })).join("---\n"),
      );
      return name;
    };
    const file = await write("manifests.yaml", allManifests);

    const validate = (name: string): Promise<Finished> =>
      run(join(tool, "bin/python3"), ["-m", "kubernetes_validate", "--strict", name], { cwd });
    const valid = await validate(file);
    report.check(
      "kubernetes-validate accepts the manifests",
      valid.status === 0,
      valid.status === 0 ? allManifests.length : valid.output,
    );
    const helm = join(await bench.install(tools.helm), "bin/helm");
    const lint = await run(helm, ["lint", "--strict", chartFolder], { cwd });
    report.check("helm lint --strict accepts the chart", lint.status === 0, lint.status === 0 ? 0 : lint.output);
    const isCurrent = (await chartManifests(helm)) === (await readFile(manifestsFile, "utf8"));
    report.check(
      "deploy/kubernetes is what Helm renders",
      isCurrent,
      isCurrent ? "the same bytes" : "run npm run manifests",
    );
    for (const size of ["small", "medium", "large"]) {
      const objects = parseAllDocuments(await renderChart({ size }, helm)).map((document) => document.toJS() as object);
      const outcome = await validate(await write(`${size}.yaml`, objects));
      report.check(
        `kubernetes-validate accepts the chart, ${size}`,
        outcome.status === 0,
        outcome.status === 0 ? objects.length : outcome.output,
      );
    }
    const faultyManifests = allManifests.filter(({ kind }) => kind === "Deployment").map(withWrongReplicas);
    const refused = await validate(await write("wrong.yaml", faultyManifests));
    report.check("kubernetes-validate refuses a wrong manifest", refused.status !== 0, `status ${refused.status}`);

    const check = async (name: string) => {
      const args = ["-m", "checkov.main", "--file", name, "--framework", "kubernetes", "--output", "json", "--quiet"];
      const { stdout, output } = await run(join(policies, "bin/python3"), [...args, "--skip-download"], { cwd });
      try {
        return JSON.parse(stdout) as CheckResult;
      } catch {
        throw new Error(`checkov printed no result:\n${output}`);
      }
    };
    const { summary, results } = await check(file);
    const failed = results.failed_checks.map(({ check_id, resource }) => `${check_id} ${resource}`);
    report.check("failed checks of checkov", failed.length === 0, `${failed.join(", ") || 0} of ${summary.passed}`);
    report.check("checkov skips at most 12 checks", summary.skipped <= 12, `${summary.skipped}, each in the manifest`);
    const withoutLimits = await check(
      await write(
        "careless.yaml",
        allManifests.filter(({ kind }) => kind === "Deployment"),
      ),
    );
    report.check(
      "checks of checkov fail without the network policies",
      withoutLimits.summary.failed >= 3,
      withoutLimits.summary.failed,
    );
  },
};

interface CheckResult {
  summary: { passed: number; failed: number; skipped: number };
  results: { failed_checks: { check_id: string; resource: string }[] };
}
