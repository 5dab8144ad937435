import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const pom = join(import.meta.dirname, "pom.xml");
const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";
const downloadTimeoutMs = 300_000;

/** The source of the node. Java compiles it at each start, so that no build step needs a compiler. */
export const nodeSource = join(import.meta.dirname, "OpenSearchNode.java");

/**
 * Returns the folder with the jars of pom.xml, 61 MB. The first call downloads them with Maven, which verifies their
 * checksums, into the cache of this account.
 */
export async function openSearchJars(): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "beatmarket");
  const digest = createHash("sha256").update(readFileSync(pom)).digest("hex").slice(0, 12);
  const folder = join(cache, `opensearch-${digest}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    const goal = [`${plugin}:copy-dependencies`, "-f", pom, `-DoutputDirectory=${draft}/jars`, "-C"];
    await run("mvn", ["-B", "-q", ...goal], { timeout: downloadTimeoutMs });
    // Other processes may download the jars concurrently. Each of them sees either the complete folder or none.
    if (!existsSync(folder)) await rename(join(draft, "jars"), folder);
    return folder;
  } finally {
    await rm(draft, { recursive: true });
  }
}
