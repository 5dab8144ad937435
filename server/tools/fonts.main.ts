import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

// npm run fonts: downloads each font of fonts.json in the version of its package, and writes the checksum. The packages
// have 185 MB of weights that no document uses, so only the used fonts are in the repository.

const run = promisify(execFile);
const folder = join(import.meta.dirname, "../../packages/documents/fonts");
const list = join(folder, "fonts.json");
const fonts = JSON.parse(await readFile(list, "utf8")) as {
  file: string;
  package: string;
  version: string;
  path: string;
  sha256: string;
}[];
const scratch = await mkdtemp(join(tmpdir(), "fonts-"));
try {
  for (const font of fonts) {
    const { stdout } = await run("npm", ["pack", "--silent", `${font.package}@${font.version}`], { cwd: scratch });
    await run("tar", ["--extract", "--file", stdout.trim(), `package/${font.path}`], { cwd: scratch });
    const fetched = join(scratch, "package", font.path);
    font.sha256 = createHash("sha256")
      .update(await readFile(fetched))
      .digest("hex");
    await copyFile(fetched, join(folder, font.file));
  }
} finally {
  await rm(scratch, { recursive: true });
}
await writeFile(list, `${JSON.stringify(fonts, null, 2)}\n`);
