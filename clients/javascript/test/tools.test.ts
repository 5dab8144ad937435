import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// The README's tests, run by the tools that users have. run-tests installs those of tools.json.

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..");
const page = await readFile(join(folder, "README.md"), "utf8");
const runners = { "beats.test.js": ["jest/bin/jest.js", "--ci"], "events.test.mjs": ["vitest/vitest.mjs", "run"] };

test.skipIf(!existsSync(join(folder, "node_modules/jest"))).each(Object.entries(runners))(
  "the README's %s passes with %s",
  async (name, [program = "", ...args]) => {
    const [, source = ""] = new RegExp(`\`\`\`js ${name}\\n(.*?)\`\`\``, "s").exec(page) ?? [];
    // A folder of its own: the runners look for configurations of a project.
    const project = join(folder, `project-${name}`);
    await mkdir(project);
    await Promise.all([writeFile(join(project, name), source), writeFile(join(project, "package.json"), "{}")]);
    const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env;
    const command = [join(folder, "node_modules", program), ...args];
    const { stdout, stderr } = await run(process.execPath, command, { cwd: project, env });
    expect(`${stdout}${stderr}`).toMatch(/Tests:? +.*2 passed/);
  },
);
