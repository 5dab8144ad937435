import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

// `node tools/build.mjs`: bundles src/ with all that it imports into dist/beatmarket-cli.js, so that the package installs
// without a registry and starts fast.

const folder = fileURLToPath(new URL("..", import.meta.url));
const packages = join(folder, "../../node_modules");
const name = "beatmarket-cli.js";
const notice = "THIRD-PARTY-LICENSES";
/** Packages whose code is in the bundle. */
const bundled = ["commander", "@bomb.sh/tab"];

const draft = mkdtempSync(join(folder, ".dist-"));
try {
  await build({
    root: folder,
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: join(folder, "src/main.ts"),
      target: "node22",
      outDir: draft,
      minify: false,
      rollupOptions: { output: { entryFileNames: name, codeSplitting: false } },
    },
  });
  chmodSync(join(draft, name), 0o755);
  writeFileSync(join(draft, notice), bundled.map(licenseOf).join("\n----\n\n"));
  mkdirSync(join(folder, "dist"), { recursive: true });
  // Each file is replaced in one step, because running programs and other builds may read it at the same time.
  for (const file of [name, notice]) renameSync(join(draft, file), join(folder, "dist", file));
} finally {
  rmSync(draft, { recursive: true });
}

/** The notice that a license requires. */
function licenseOf(bundledName) {
  const { version, license } = JSON.parse(readFileSync(join(packages, bundledName, "package.json"), "utf8"));
  const file = join(packages, bundledName, "LICENSE");
  const text = existsSync(file) ? `\n${readFileSync(file, "utf8")}` : "";
  return `${bundledName} ${version}, ${license}\n${text}`;
}
