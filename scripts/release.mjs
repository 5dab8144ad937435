import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./node/install-packages.mjs";
import { pack, versionOf, writeSbom, writeSums } from "./release/archive.mjs";
import { stage } from "./release/stage.mjs";

// npm run release: writes the release's archive, the list of its packages and their checksums into dist/. `-- --stage
// FOLDER` only puts the files of the release there. `--image` omits the parts that a container image already has.

const root = fileURLToPath(new URL("..", import.meta.url));

/** The modification time of all files: the time of the commit, or SOURCE_DATE_EPOCH (reproducible-builds.org). */
function releaseSeconds() {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch !== undefined && /^\d+$/.test(epoch)) return Number(epoch);
  const { status, stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  if (status !== 0)
    throw new Error("The time of the commit is unknown: run this in a clone, or set SOURCE_DATE_EPOCH.");
  return Number(stdout);
}

async function release() {
  const seconds = releaseSeconds();
  const name = `beat-marketplace-${await versionOf(root)}`;
  const out = join(root, "dist");
  const scratch = await mkdtemp(join(tmpdir(), "release-"));
  try {
    const folder = join(scratch, name);
    await stage(folder);
    await rm(out, { recursive: true, force: true });
    await mkdir(out);
    await pack(folder, join(out, `${name}.tar.gz`), seconds);
    await writeSbom(folder, join(out, `${name}.cdx.json`));
    await writeSums(out, [`${name}.tar.gz`, `${name}.cdx.json`]);
    console.log(`dist/ has ${name}.tar.gz, ${name}.cdx.json and SHA256SUMS.`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

try {
  const { values } = parseArgs({ options: { stage: { type: "string" }, image: { type: "boolean", default: false } } });
  await ensureInstalled();
  if (values.stage === undefined) await release();
  else await stage(resolve(values.stage), { isImage: values.image });
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
