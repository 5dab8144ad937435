import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// `node tools/build.mjs [folder]`: compiles src/ to ECMAScript modules and to CommonJS, each with its types, in dist/ of
// this folder or of the one given.

const here = fileURLToPath(new URL("..", import.meta.url));
const dist = join(process.argv[2] ?? here, "dist");
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

rmSync(dist, { recursive: true, force: true });
for (const [format, type] of [
  ["esm", "module"],
  ["cjs", "commonjs"],
]) {
  const out = join(dist, format);
  mkdirSync(out, { recursive: true });
  // The compiler goes by the nearest package.json, so each format is compiled from a copy that has its own.
  const copy = mkdtempSync(join(here, ".build-"));
  try {
    cpSync(join(here, "src"), join(copy, "src"), { recursive: true });
    writeFileSync(join(copy, "package.json"), JSON.stringify({ type }));
    const compilerOptions = { verbatimModuleSyntax: type === "module", rootDir: "src" };
    writeFileSync(
      join(copy, "tsconfig.json"),
      JSON.stringify({ extends: "../tsconfig.json", compilerOptions, include: ["src"] }),
    );
    execFileSync(process.execPath, [tsc, "-p", copy, "--outDir", out], { stdio: ["ignore", "inherit", "inherit"] });
  } finally {
    rmSync(copy, { recursive: true });
  }
  writeFileSync(join(out, "package.json"), `${JSON.stringify({ type })}\n`);
  // tsc leaves the extensions in declarations as they were.
  for (const name of readdirSync(out, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts")) {
      const file = join(out, name);
      writeFileSync(file, readFileSync(file, "utf8").replace(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'));
    }
}
