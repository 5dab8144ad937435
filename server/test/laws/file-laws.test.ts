import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { sourceFiles } from "../harness/documents/source-files.ts";

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);
const files = await sourceFiles(root);

describe("a file of more than 500 lines", () => {
  const generated = [
    "clients/javascript/src/generated/fixtures.ts",
    "clients/javascript/src/generated/models.ts",
    "clients/javascript/src/generated/resources.ts",
    "clients/python/src/beatmarket/_generated/models.py",
    "clients/ruby/lib/beatmarket/generated/models.rb",
    "server/src/database/tables.ts",
  ];
  const tooLong = (path: string, text: string): string[] =>
    text.split("\n").length > 501 && !generated.includes(path) ? [path] : [];

  test("is not in this repository", () => {
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap(({ path, text }) => tooLong(path, text))).toEqual([]);
  });

  test("is detected, and a file of 500 lines is not", () => {
    expect(tooLong("server/src/long.ts", "\n".repeat(501))).toEqual(["server/src/long.ts"]);
    expect(tooLong("server/src/long.ts", "\n".repeat(500))).toEqual([]);
  });
});

describe("an object literal that is spread into another one, to write several fields on a line,", () => {
  const isPacked = (text: string): boolean => /\.\.\.\{ \w/.test(text);

  test("is not in this repository", () => {
    const source = files.filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith("file-laws.test.ts"));
    expect(source.filter(({ text }) => isPacked(text)).map(({ path }) => path)).toEqual([]);
  });

  test("is detected", () => {
    expect(isPacked("const beat = { ...{ id, title }, genre };")).toBe(true);
    expect(isPacked("const beat = { ...row, ...(isFree && { price: 0 }) };")).toBe(false);
  });
});

describe("a meaningless name", () => {
  const nameless = (path: string): boolean => /(^|\/)(utils?|helpers?|misc|common)(\.[^/]*)?(\/|$)/i.test(path);

  test("is not in this repository", () => {
    expect(files.map(({ path }) => path).filter(nameless)).toEqual([]);
  });

  test("is detected, for a file and for a folder", () => {
    expect(["server/src/utils.ts", "server/src/http/helpers/text.ts", "bench/common.mjs"].every(nameless)).toBe(true);
    expect(["server/src/commonwealth.ts", "server/src/http/pipeline/route.ts"].some(nameless)).toBe(false);
  });
});

describe("reading the environment without readConfig", () => {
  const readsEnvironment = (text: string): boolean =>
    text.replaceAll("readConfig(process.env)", "").includes("process.env");

  test("is not in this repository", () => {
    const source = files.filter(
      ({ path }) => /^(server|packages\/[^/]+)\/src\//.test(path) && !path.endsWith(".test.ts"),
    );
    expect(source.some(({ text }) => text.includes("readConfig(process.env)"))).toBe(true);
    expect(source.filter(({ text }) => readsEnvironment(text)).map(({ path }) => path)).toEqual([]);
  });

  test("is detected", () => {
    expect(readsEnvironment("const { HOME } = process.env; readConfig(process.env);")).toBe(true);
    expect(readsEnvironment("const config = readConfig(process.env);")).toBe(false);
  });
});

describe("a transaction without transact", () => {
  const opens = (text: string): boolean => /\.\s*(transaction|startTransaction)\s*\(/.test(text);
  const helper = "packages/postgres/src/connection/transaction.ts";

  test("is not in this repository", () => {
    const source = files.filter(
      ({ path }) => /^(server\/(src|tools)|packages\/[^/]+\/src)\//.test(path) && !path.endsWith(".test.ts"),
    );
    expect(source.filter(({ text }) => opens(text)).map(({ path }) => path)).toEqual([helper]);
  });

  test("is detected", () => {
    expect(opens("await db.transaction().execute(work);")).toBe(true);
    expect(opens('return db\n    .transaction()\n    .setIsolationLevel("repeatable read")')).toBe(true);
    expect(opens("await transact(db, (transaction) => emitEvents(transaction, facts));")).toBe(false);
  });
});

test("Biome refuses barrels, reading the environment outside the entry, and unchecked types", async () => {
  const sources = {
    "server/src/http/all.ts": 'export { route } from "./route.ts";\n',
    "server/src/http/secret.ts": "export const secret = process.env.SECRET;\n",
    "server/src/commands/serve.ts": "export const environment = process.env;\n",
    "server/src/http/loose.ts": "export const loose: any = 1;\n",
    "server/src/http/sure.ts": "export const sure = (a?: number): number => a!;\n",
  };
  const tree = await plant({ ...sources, ...(await copies(["biome.json", ".gitignore"])) });
  const { code, output } = await check("biome", ["lint", "--reporter=github"], tree);
  expect(code).toBe(1);
  const diagnostics = [...output.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+)/g)].map(
    ([, rule, path]) => `${path}: ${rule}`,
  );
  expect(diagnostics.map((line) => line.replace(`${tree}/`, "")).sort()).toEqual([
    "server/src/http/all.ts: noBarrelFile",
    "server/src/http/loose.ts: noExplicitAny",
    "server/src/http/secret.ts: noProcessEnv",
    "server/src/http/sure.ts: noNonNullAssertion",
  ]);
});

describe("knip", () => {
  const server = {
    "server/src/main.ts": 'import { used } from "./used.ts";\nimport pino from "pino";\npino();\nused();\n',
    "server/src/used.ts": "export const used = (): void => {};\n",
  };

  test("accepts a tree in which everything is used", async () => {
    expect(await knip(server, ["pino"])).toEqual({ code: 0, output: "" });
  });

  test.each([
    ["Unused files", { ...server, "server/src/left-over.ts": "export {};\n" }, ["pino"]],
    ["Unused exports", { ...server, "server/src/used.ts": `${server["server/src/used.ts"]}export const b = 1;\n` }, []],
    ["Unused dependencies", server, ["pino", "kysely"]],
    ["Unlisted dependencies", server, []],
  ])("fails on %s", async (heading, tree, dependencies) => {
    const { code, output } = await knip(tree, dependencies);
    expect(code).toBe(1);
    expect(output).toContain(heading);
  });
});

async function knip(tree: Record<string, string>, dependencies: string[]): Promise<{ code: number; output: string }> {
  const manifests = {
    "package.json": JSON.stringify({ name: "planted", private: true, workspaces: ["server", "bench"] }),
    "server/package.json": JSON.stringify({
      name: "planted-server",
      dependencies: Object.fromEntries(dependencies.map((name) => [name, "*"])),
    }),
    "bench/package.json": JSON.stringify({ name: "planted-bench" }),
  };
  const planted = await plant({ ...manifests, ...(await copies(["knip.json"])), ...tree });
  await symlink(join(root, "node_modules"), join(planted, "node_modules"));
  return check("knip", ["--no-progress", "--no-config-hints"], planted);
}

async function copies(paths: string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), "utf8")])),
  );
}

/** Creates a folder with only these files, which is removed after the test. */
async function plant(tree: Record<string, string>): Promise<string> {
  const planted = await mkdtemp(join(tmpdir(), "planted-"));
  onTestFinished(() => rm(planted, { recursive: true }));
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(join(planted, dirname(path)), { recursive: true });
    await writeFile(join(planted, path), text);
  }
  return planted;
}

function check(program: string, parameters: string[], cwd: string): Promise<{ code: number; output: string }> {
  return run(join(root, "node_modules/.bin", program), parameters, { cwd }).then(
    ({ stdout }) => ({ code: 0, output: stdout.trim() }),
    ({ code, stdout }) => ({ code, output: stdout }),
  );
}
