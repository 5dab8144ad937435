import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
// @ts-expect-error: The module has no types.
import { bundledLibraries, bundledModules } from "./node/bundles.mjs";

const realRoot = join(import.meta.dirname, "..");
const modules: string[] = Object.values(bundledModules);

// The scripts run in a temporary copy with small libraries.

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "beatmarket-preload-"));
  cpSync(join(realRoot, "scripts/node"), join(root, "scripts/node"), { recursive: true });
  mkdirSync(join(root, "server"));
  writeFileSync(join(root, "package.json"), `{"type":"module"}`);
  symlinkTo("rolldown");
  for (const name of bundledLibraries) install(name, "1.0.0");
});
afterEach(() => rmSync(root, { recursive: true }));

function symlinkTo(name: string): void {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  symlinkSync(join(realRoot, "node_modules", name), join(root, "node_modules", name));
}

/** Installs a library that exports its version and the URL of its module from each of its entry points. */
function install(name: string, version: string): void {
  const folder = join(root, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  const names = modules.filter((module) => module.split("/")[0] === name).map((module) => module.slice(name.length));
  const exports = Object.fromEntries(names.map((path) => [`.${path}`, "./index.js"]));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, type: "module", exports }));
  writeFileSync(join(folder, "LICENSE"), `The license of ${name}`);
  writeFileSync(join(folder, "index.js"), `export { version, url } from "./version.js";\n`);
  writeFileSync(
    join(folder, "version.js"),
    `export const version = ${JSON.stringify(version)};\nexport const url = import.meta.url;\n`,
  );
}

async function run(file: string, code: string, ...options: string[]): Promise<string> {
  writeFileSync(join(root, file), code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...options, join(root, file)], { cwd: root });
  return (stdout + stderr).trim();
}

const bundle = () =>
  run(
    "bundle.mjs",
    `import { ensureLibrariesBundled } from "./scripts/node/bundle-libraries.mjs"; await ensureLibrariesBundled();`,
  );

const preloaded = (file: string, code: string) => run(file, code, "--import", join(root, "scripts/node/preload.mjs"));

/** What a program of the service loads: the folder and the version of a library. */
const loaded = (module: string) =>
  preloaded(
    "load.mjs",
    `const { version, url } = await import(${JSON.stringify(module)});
     console.log(url.slice(${JSON.stringify(new URL(`file://${root}/`).href)}.length).split("/")[0], version);`,
  );

describe("the bundled libraries", () => {
  test("are bundled with all modules of them that the service imports", () => {
    const files = globSync("{server,packages/*}/src/**/*.ts", { cwd: realRoot });
    const imported = files.flatMap((file) =>
      Array.from(
        readFileSync(join(realRoot, file), "utf8").matchAll(/(?:from|import\() ?"((?:kysely|typebox)(?:\/[^"]*)?)"/g),
        ([, module]) => module,
      ),
    );
    expect(new Set(imported)).toEqual(new Set(modules));
  });

  test.each(modules)("replace the modules of %s", async (module) => {
    expect(await loaded(module)).toBe("node_modules 1.0.0");
    expect(await bundle()).toBe("");
    expect(await loaded(module)).toBe("server 1.0.0");
  });

  test("have the texts of the libraries' licenses next to them", async () => {
    await bundle();
    for (const name of bundledLibraries)
      expect(readFileSync(join(root, `server/dist/${name}.LICENSE`), "utf8")).toBe(`The license of ${name}`);
  });

  test("are complete after several processes have written them at the same time", async () => {
    expect(await Promise.all([bundle(), bundle(), bundle()])).toEqual(["", "", ""]);
    expect(readdirSync(join(root, "server"))).toEqual(["dist"]);
    for (const module of modules) expect(await loaded(module)).toBe("server 1.0.0");
  });

  test("are not used for another version, until it is bundled too", async () => {
    await bundle();
    install("kysely", "1.0.1");
    expect(await loaded("kysely")).toBe("node_modules 1.0.1");
    await bundle();
    expect(await loaded("kysely")).toBe("server 1.0.1");
  });

  test("are not written without the bundler, so the libraries come from node_modules", async () => {
    rmSync(join(root, "node_modules/rolldown"));
    expect(await bundle()).toBe("");
    expect(existsSync(join(root, "server/dist"))).toBe(false);
    expect(await loaded("typebox")).toBe("node_modules 1.0.0");
  });
});

describe("an import of a preloaded program", () => {
  test("of a module of the service finds it, and each module is loaded once", async () => {
    mkdirSync(join(root, "server/src"));
    writeFileSync(join(root, "server/src/once.ts"), `console.log("once"); export const value: number = 1;`);
    writeFileSync(join(root, "server/src/user.ts"), `export { value } from "./once.ts";`);
    expect(
      await preloaded(
        "main.ts",
        `import { value } from "./server/src/user.ts"; import { value as same } from "./server/src/once.ts"; console.log(value + same);`,
      ),
    ).toBe("once\n2");
  });

  test("of a missing module fails with its name", async () => {
    expect(
      await preloaded(
        "main.ts",
        `await import("./missing.ts").catch(({ code, message }) => console.log(code, message));`,
      ),
    ).toMatch(/^(ENOENT|ERR_MODULE_NOT_FOUND) .*missing\.ts/);
  });

  test("of a missing package fails as without the preloaded module", async () => {
    expect(await preloaded("main.ts", `await import("missing").catch(({ code }) => console.log(code));`)).toBe(
      "ERR_MODULE_NOT_FOUND",
    );
  });
});
