import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// `node tools/build.mjs`: compiles src/ to ECMAScript modules and to CommonJS, each with its types, in dist/.

const here = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "beatmarket-build-"));
try {
  const packages = findCompiler() ?? installCompiler();
  for (const [format, type] of [
    ["esm", "module"],
    ["cjs", "commonjs"],
  ])
    compile(format, type, packages);
  publish();
} catch (error) {
  console.error(error.stdout?.toString() ?? error.stack);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** The node_modules that has the compiler; undefined where only the packages of a server are installed. */
function findCompiler() {
  try {
    return join(createRequire(import.meta.url).resolve("typescript/package.json"), "../..");
  } catch {
    return undefined;
  }
}

function installCompiler() {
  const { devDependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const packages = Object.entries(devDependencies).map(([name, version]) => `${name}@${version}`);
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", ...options, "--prefix", folder, ...packages], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return join(folder, "node_modules");
}

/**
 * Renames each file into dist/, because running programs may load the files, and other builds may write them.
 */
function publish() {
  const dist = join(here, "dist");
  const built = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
  const staged = mkdtempSync(join(here, ".dist-"));
  try {
    cpSync(join(folder, "dist"), staged, { recursive: true });
    for (const name of built) {
      mkdirSync(join(dist, name, ".."), { recursive: true });
      if (statSync(join(staged, name)).isFile()) renameSync(join(staged, name), join(dist, name));
    }
  } finally {
    rmSync(staged, { recursive: true });
  }
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" }))
    if (!built.includes(name)) rmSync(join(dist, name), { recursive: true, force: true });
}

/** The compiler takes the module format from the nearest package.json, so each format is compiled from its own copy. */
function compile(format, type, packages) {
  const copy = join(folder, format);
  const out = join(folder, "dist", format);
  mkdirSync(out, { recursive: true });
  cpSync(join(here, "src"), join(copy, "src"), { recursive: true });
  writeFileSync(join(copy, "package.json"), JSON.stringify({ type }));
  const compilerOptions = {
    verbatimModuleSyntax: type === "module",
    typeRoots: [join(packages, "@types")],
    rootDir: "src",
    outDir: out,
  };
  const config = { extends: join(here, "tsconfig.json"), compilerOptions, include: ["src"] };
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config));
  execFileSync(process.execPath, [join(packages, "typescript/bin/tsc"), "-p", copy], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  writeFileSync(join(out, "package.json"), `${JSON.stringify({ type })}\n`);
  // tsc does not rewrite the extensions in declarations.
  for (const name of readdirSync(out, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts")) {
      const file = join(out, name);
      writeFileSync(file, readFileSync(file, "utf8").replace(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'));
    }
}
