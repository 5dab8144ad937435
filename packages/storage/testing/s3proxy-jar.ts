import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const version = "4.0.0";
const sha256 = "8842c29ef4cf50c2488cff1da23df3428526c10905998384586e916cc98a2c67";
const artifact = `org.gaul:s3proxy:${version}:jar:jar-with-dependencies`;
const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1";
const downloadTimeoutMs = 300_000;

/**
 * Returns the path of s3proxy, an S3 server in Java that verifies signatures, as one jar of 98 MB. The first call
 * downloads the jar with Maven into the cache folder of the user. Throws if the download fails, or if the hash differs
 * from the pinned hash.
 */
export async function s3proxyJar(): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "beatmarket");
  const jar = join(cache, `s3proxy-${version}.jar`);
  if ((await hashOf(jar)) === sha256) return jar;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    await runMaven([
      `${plugin}:copy`,
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${draft}`,
      "-Dmdep.stripVersion=true",
      "-Dmdep.stripClassifier=true",
    ]);
    const downloaded = join(draft, "s3proxy.jar");
    const hash = await hashOf(downloaded);
    if (hash !== sha256) throw new Error(`s3proxy ${version} has the hash ${hash} instead of ${sha256}.`);
    // Other processes may download the jar concurrently. The renaming shows them the complete file or none.
    await rename(downloaded, jar);
    return jar;
  } finally {
    await rm(draft, { recursive: true });
  }
}

async function runMaven(goal: string[]): Promise<void> {
  const child = spawn("mvn", ["-B", "-q", ...goal], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: downloadTimeoutMs,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const code = await new Promise((settle, fail) => child.once("error", fail).once("close", settle));
  if (code !== 0) throw new Error(`mvn could not download s3proxy ${version}:\n${output}`);
}

/** Null if the file does not exist. */
async function hashOf(file: string): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(file), hash);
    return hash.digest("hex");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
