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
import { fileURLToPath, pathToFileURL } from "node:url";

// `node tools/build.mjs`: compiles src/ to ECMAScript modules and to CommonJS, each with its types, in dist/.

const here = fileURLToPath(new URL("..", import.meta.url));
const source = join(here, "src");
const folder = mkdtempSync(join(tmpdir(), "beatmarket-build-"));
try {
  const require = createRequire(hasCompiler() ? import.meta.url : installCompiler());
  const load = (path) => import(pathToFileURL(path).href);
  const { rolldown } = await load(require.resolve("rolldown"));
  const { isolatedDeclarationSync } = await load(require.resolve("rolldown/experimental"));
  const types = typesOf(isolatedDeclarationSync);
  for (const [format, type] of [
    ["esm", "module"],
    ["cjs", "commonjs"],
  ]) {
    const out = join(folder, "dist", format);
    await compile(rolldown, format, out);
    for (const [name, text] of types) {
      mkdirSync(join(out, name, ".."), { recursive: true });
      writeFileSync(join(out, name), text);
    }
    writeFileSync(join(out, "package.json"), `${JSON.stringify({ type })}\n`);
  }
  publish();
} catch (error) {
  console.error(error.stack);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** False where only the packages of a server are installed. */
function hasCompiler() {
  try {
    return createRequire(import.meta.url).resolve("rolldown") !== "";
  } catch {
    return false;
  }
}

/** Installs the compiler into a temporary folder, and returns a file there from which modules find it. */
function installCompiler() {
  const { devDependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const manifest = join(folder, "package.json");
  writeFileSync(manifest, "{}");
  execFileSync("npm", ["install", ...options, "--prefix", folder, `rolldown@${devDependencies.rolldown}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return manifest;
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

async function compile(rolldown, format, out) {
  const bundle = await rolldown({
    input: ["index", "node", "testing"].map((name) => join(source, `${name}.ts`)),
    cwd: here,
    platform: "neutral",
    external: /^node:/,
    treeshake: false,
    tsconfig: false,
    transform: { target: "es2022" },
  });
  await bundle.write({
    dir: out,
    format,
    exports: "named",
    preserveModules: true,
    preserveModulesRoot: source,
    entryFileNames: "[name].js",
  });
  await bundle.close();
}

/** The declaration files, by name, without what is marked `@internal`. */
function typesOf(isolatedDeclarationSync) {
  const names = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return names.map((name) => {
    const text = readFileSync(join(source, name), "utf8");
    const { code, errors } = isolatedDeclarationSync(name, text, { stripInternal: true });
    if (errors.length > 0) throw new Error(errors.map(({ message, codeframe }) => codeframe ?? message).join("\n"));
    return [name.replace(/\.ts$/, ".d.ts"), code.replace(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"')];
  });
}
