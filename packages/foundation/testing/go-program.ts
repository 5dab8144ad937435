import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const installTimeoutMs = 240_000;

export interface GoProgram {
  /** The module path of its main package. */
  module: string;
  version: string;
  /** The oldest Go that builds it. */
  go: string;
}

/**
 * Returns the path of a program. The first call builds the program with Go into the cache folder of the user; Go checks
 * the sources against their published hash. Returns a sentence as `missing` if the build fails.
 */
export async function findGoProgram({
  module,
  version,
  go,
}: GoProgram): Promise<{ program: string } | { missing: string }> {
  const name = basename(module);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "beatmarket");
  const program = join(cache, `${name}-${version}`);
  if (await isAccessible(program)) return { program };
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    const env = { ...process.env, GOBIN: draft, GOPATH: join(draft, "path"), GOFLAGS: "-modcacherw" };
    await run("go", ["install", `${module}@${version}`], { env, timeout: installTimeoutMs });
    // Other processes may build the same program at the same time. The renaming shows them a complete program or none.
    await rename(join(draft, name), program);
    return { program };
  } catch (error) {
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string };
    return {
      missing:
        code === "ENOENT"
          ? `${name} needs Go ${go} or newer on the PATH.`
          : `Go could not build ${name} ${version}: ${stderr.trim().split("\n").at(-1) ?? ""}`,
    };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const isAccessible = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
