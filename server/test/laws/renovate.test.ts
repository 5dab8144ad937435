import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// Renovate proposes new versions of all dependencies of the repository.

const root = join(import.meta.dirname, "../../..");
const { stdout } = await promisify(execFile)("git", ["ls-files"], { cwd: root });
const files = stdout.split("\n");
const config = JSON.parse(await readFile(join(root, "renovate.json"), "utf8")) as {
  enabledManagers: string[];
  "helm-values": { managerFilePatterns: string[] };
  packageRules: { matchPackageNames?: string[] }[];
};

/** The files that name versions of dependencies, and the manager of Renovate that reads them. */
const sources: [manager: string, path: RegExp][] = [
  ["npm", /(^|\/)package\.json$/],
  ["github-actions", /^\.github\/workflows\/.+\.yml$/],
  ["dockerfile", /(^|\/)Dockerfile$/],
  ["docker-compose", /(^|\/)compose\.yaml$/],
  ["helm-values", /^deploy\/helm\/.+\/values\.yaml$/],
];

test.each(sources)("%s reads an existing file", (manager, path) => {
  expect(files.filter((file) => path.test(file))).not.toEqual([]);
  expect(config.enabledManagers).toContain(manager);
});

test("the pattern matches the chart's values, and every manager has a file", () => {
  const patterns = config["helm-values"].managerFilePatterns.map((text) => new RegExp(text.slice(1, -1)));
  expect(files.filter((file) => patterns.some((pattern) => pattern.test(file)))).toEqual([
    "deploy/helm/beat-marketplace/values.yaml",
  ]);
  expect(config.enabledManagers.toSorted()).toEqual(sources.map(([manager]) => manager).sort());
});

test("the rules name existing packages", async () => {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, object>;
  };
  const names = Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ""));
  for (const pattern of config.packageRules.flatMap(({ matchPackageNames = [] }) => matchPackageNames)) {
    const expression = pattern.startsWith("/") ? new RegExp(pattern.slice(1, -1)) : null;
    expect(
      names.filter((name) => expression?.test(name) ?? name === pattern),
      pattern,
    ).not.toEqual([]);
  }
});
