import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { packages, libraryVersion as version } from "../../contract/snippets/install.ts";
import { type ArchivedFile, tar, zip } from "./archives.ts";
import { gem } from "./gem.ts";
import { wheel } from "./wheel.ts";

const run = promisify(execFile);
const clients = fileURLToPath(new URL("../", import.meta.url));

/**
 * Writes the packages of the libraries and of the command line, and their SHA-256 as SHA256SUMS, into a folder. A
 * server offers them at /portal/packages. Needs only Node and npm, and no registry.
 */
export async function packAll(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const packageFiles: Record<string, Buffer> = {
    [packages.javascript.file]: await npmPackage("javascript"),
    "beatmarket-cli.tgz": await npmPackage("cli"),
    [packages.python.file]: await pythonWheel(),
    [packages.php.file]: await phpArchive(),
    [packages.ruby.file]: await rubyGem(),
    [packages.go.file]: gzipSync(tar(inFolder("beatmarket-go", await goFiles())), { level: 9 }),
  };
  const sums = Object.entries(packageFiles).map(
    ([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`,
  );
  for (const [name, content] of Object.entries(packageFiles)) await writeFile(join(folder, name), content);
  await writeFile(join(folder, "SHA256SUMS"), sums.join(""));
}

async function npmPackage(name: string): Promise<Buffer> {
  const draft = await mkdtemp(join(tmpdir(), "beatmarket-pack-"));
  try {
    const library = join(clients, name);
    await run(process.execPath, [join(library, "tools/build.mjs")], { cwd: join(clients, "..") });
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", draft, library], { cwd: join(clients, "..") });
    const [packed = ""] = await readdir(draft);
    return await readFile(join(draft, packed));
  } finally {
    await rm(draft, { recursive: true });
  }
}

async function pythonWheel(): Promise<Buffer> {
  const text = (name: string) => readFile(join(clients, "python", name), "utf8");
  const files = await filesOf("python/src", ["beatmarket"]);
  const license = await readFile(join(clients, "python/LICENSE"));
  return wheel(await text("pyproject.toml"), version, { files, readme: await text("README.md"), license });
}

/** Composer requires a version in the file; Packagist would read it from the tag. */
async function phpArchive(): Promise<Buffer> {
  const files = await filesOf("php", [
    "src",
    "examples",
    "autoload.php",
    "composer.json",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
  ]);
  const versioned = files.map(({ path, content }) => ({
    path,
    content:
      path === "composer.json"
        ? Buffer.from(JSON.stringify({ ...JSON.parse(content.toString()), version }, null, 2))
        : content,
  }));
  return zip(inFolder("beatmarket-php", versioned));
}

async function rubyGem(): Promise<Buffer> {
  const gemspec = await readFile(join(clients, "ruby/beatmarket.gemspec"), "utf8");
  const files = await filesOf("ruby", ["lib", "sig", "examples", "README.md", "CHANGELOG.md", "LICENSE", ".yardopts"]);
  return gem(gemspec, version, files);
}

/** The module without tests, benchmark and conformance driver, and without files of a build. */
async function goFiles(): Promise<ArchivedFile[]> {
  const files = await filesOf("go", ["."]);
  const isOfModule = (path: string) => /\.(?:go|md)$|^(?:go\.mod|LICENSE|beatmarkettest\/fixtures\.json)$/.test(path);
  return files.filter(({ path }) => isOfModule(path) && !/^(?:bench|conformance)\/|_test\.go$/.test(path));
}

const inFolder = (folder: string, files: readonly ArchivedFile[]): ArchivedFile[] =>
  files.map(({ path, content }) => ({ path: `${folder}/${path}`, content }));

/** The files at these paths below a folder of clients/, including the files in folders, by name. */
async function filesOf(folder: string, paths: readonly string[]): Promise<ArchivedFile[]> {
  const root = join(clients, folder);
  const lists = await Promise.all(paths.map((path) => filesBelow(join(root, path))));
  const files = lists
    .flat()
    .filter((file) => !/\.pyc$|\.so$/.test(file) && !isHidden(file))
    .sort();
  return Promise.all(
    files.map(async (file) => ({ path: relative(root, file).split(sep).join("/"), content: await readFile(file) })),
  );
}

/** Excludes hidden files, such as files of editors. Only .yardopts is part of the gem. */
const isHidden = (file: string): boolean => basename(file).startsWith(".") && basename(file) !== ".yardopts";

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOTDIR") return null;
      throw error;
    },
  );
  if (entries === null) return [path];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
