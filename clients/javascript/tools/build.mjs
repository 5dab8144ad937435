import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// `node tools/build.mjs`: compiles src/ to ECMAScript modules and to CommonJS, each with its types, in dist/.

const here = fileURLToPath(new URL("..", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const folder = mkdtempSync(join(tmpdir(), "beatmarket-build-"));
try {
  for (const [format, type] of [
    ["esm", "module"],
    ["cjs", "commonjs"],
  ])
    compile(format, type);
  rmSync(join(here, "dist"), { recursive: true, force: true });
  cpSync(join(folder, "dist"), join(here, "dist"), { recursive: true });
} catch (error) {
  console.error(error.stdout?.toString() ?? error.stack);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** The compiler takes the module format from the nearest package.json, so each format is compiled from its own copy. */
function compile(format, type) {
  const copy = join(folder, format);
  const out = join(folder, "dist", format);
  mkdirSync(out, { recursive: true });
  cpSync(join(here, "src"), join(copy, "src"), { recursive: true });
  writeFileSync(join(copy, "package.json"), JSON.stringify({ type }));
  const compilerOptions = {
    verbatimModuleSyntax: type === "module",
    typeRoots: [join(here, "../../node_modules/@types")],
    rootDir: "src",
    outDir: out,
  };
  const config = { extends: join(here, "tsconfig.json"), compilerOptions, include: ["src"] };
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config));
  execFileSync(process.execPath, [tsc, "-p", copy], { stdio: ["ignore", "pipe", "inherit"] });
  writeFileSync(join(out, "package.json"), `${JSON.stringify({ type })}\n`);
  // tsc does not rewrite the extensions in declarations.
  for (const name of readdirSync(out, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts")) {
      const file = join(out, name);
      writeFileSync(file, readFileSync(file, "utf8").replace(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'));
    }
}
