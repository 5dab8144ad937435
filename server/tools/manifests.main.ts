import { writeFile } from "node:fs/promises";
import { manifests, manifestsFile } from "./manifests.ts";

// npm run manifests: renders the chart into deploy/kubernetes, for operators without Helm. Needs Helm 4 on the PATH.
try {
  await writeFile(manifestsFile, await manifests());
} catch (error) {
  const isMissing = (error as { code?: string }).code === "ENOENT";
  const remedy =
    "Helm is missing: install it from https://helm.sh, or with go install helm.sh/helm/v4/cmd/helm@v4.3.1.";
  console.error(`error: ${isMissing ? remedy : (error as Error).message}`);
  process.exitCode = 1;
}
