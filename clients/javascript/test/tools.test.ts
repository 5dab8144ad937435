import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// Runs the README's tests with the tools that users have. run-tests installs the tools of tools.json.

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..");
const page = await readFile(join(folder, "README.md"), "utf8");
const runners = { "beats.test.js": ["jest/bin/jest.js", "--ci"], "events.test.mjs": ["vitest/vitest.mjs", "run"] };
const areToolsInstalled = existsSync(join(folder, "node_modules/jest"));

test.skipIf(!areToolsInstalled).each(Object.entries(runners))(
  "the README's %s passes with %s",
  async (name, runner) => {
    expect(await output(`project-${name}`, name, sourceOf(name), runner)).toMatch(/Tests:? +.*2 passed/);
  },
);

test.skipIf(!areToolsInstalled).each([
  ["vitest", ["vitest/vitest.mjs", "run"], 'import { expect, test } from "vitest";\n'],
  ["jest", ["jest/bin/jest.js", "--ci"], ""],
])("nock 15, which is an ES module, sees the client's requests in %s", async (name, runner, begin) => {
  const source = sourceOf("beats.test.js").replace(/const (.*) = require\((.*)\);/g, "import $1 from $2;");
  const project = `project-nock-${name}`;
  await mkdir(join(folder, project, "node_modules"), { recursive: true });
  await symlink(join(folder, "node_modules/nock-newest"), join(folder, project, "node_modules/nock"));
  expect(await output(project, "beats.test.mjs", begin + source, runner, ["--experimental-vm-modules"])).toMatch(
    /Tests:? +.*2 passed/,
  );
});

const sourceOf = (name: string): string => new RegExp(`\`\`\`js ${name}\\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? "";

/** Runs one test file in a folder of its own, since the runners look for configurations of a project. */
async function output(
  project: string,
  name: string,
  source: string,
  [program = "", ...args]: string[],
  nodeOptions: string[] = [],
): Promise<string> {
  const cwd = join(folder, project);
  await mkdir(cwd, { recursive: true });
  await Promise.all([writeFile(join(cwd, name), source), writeFile(join(cwd, "package.json"), "{}")]);
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env;
  const command = [...nodeOptions, join(folder, "node_modules", program), ...args];
  const { stdout, stderr } = await run(process.execPath, command, { cwd, env });
  return `${stdout}${stderr}`;
}
