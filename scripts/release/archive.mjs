import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/**
 * Packs a folder into a .tar.gz, whose bytes depend only on names, modes, contents and `seconds`. Throws an Error whose
 * message says what to do.
 * @param {string} folder its name is that of the archive's top folder
 * @param {string} file
 * @param {number} seconds the time of every file, in Unix time
 */
export async function pack(folder, file, seconds) {
  const { stdout } = spawnSync("tar", ["--version"], { encoding: "utf8" });
  if (!stdout?.includes("GNU tar")) throw new Error("A release is packed with GNU tar: install it, or use Linux.");
  const same = ["--sort=name", `--mtime=@${seconds}`, "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"];
  const parameters = [...same, "--mode=u+rw,go+r-w,a+X", "--create", "--directory", dirname(folder), basename(folder)];
  const tar = spawn("tar", parameters, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((settle) => tar.on("close", settle));
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file));
  const code = await ended;
  if (code !== 0) throw new Error(`tar ended with status ${code}; see its output above.`);
}

/**
 * Writes the packages of a staged release as CycloneDX, without npm's time and random number.
 * @param {string} folder
 * @param {string} file
 */
export async function writeSbom(folder, file) {
  const parameters = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const { status, stdout, stderr } = spawnSync("npm", parameters, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`"npm sbom" failed: ${stderr}`);
  const { serialNumber: _random, metadata, ...bom } = JSON.parse(stdout);
  const { timestamp: _now, ...stableMetadata } = metadata;
  await writeFile(file, `${JSON.stringify({ ...bom, metadata: stableMetadata }, null, 2)}\n`);
}

/**
 * Writes SHA256SUMS, which `sha256sum --check` reads.
 * @param {string} folder
 * @param {string[]} names files of that folder
 */
export async function writeSums(folder, names) {
  const lines = names.map(async (name) => {
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, name)), hash);
    return `${hash.digest("hex")}  ${name}\n`;
  });
  await writeFile(join(folder, "SHA256SUMS"), (await Promise.all(lines)).join(""));
}

/** @param {string} root @returns {Promise<string>} the version in package.json */
export async function versionOf(root) {
  return JSON.parse(await readFile(join(root, "package.json"), "utf8")).version;
}
