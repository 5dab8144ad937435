import { copyFile, cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import { type Receiver, receive } from "../receive.ts";
import { cache } from "../tools/install.ts";
import { runToSuccess } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const sources = join(import.meta.dirname, "../receivers");

type Library = "standardwebhooks" | "svix";

/** For each language: installs the library, and prepares a receiver with it. */
const languages: Record<string, (bench: Bench, library: Library) => Promise<Receiver>> = {
  javascript: async (bench, library) => {
    const tool = await bench.install(tools.webhooksForJavascript);
    const cwd = await bench.folder();
    await symlink(join(tool, "node_modules"), join(cwd, "node_modules"));
    await copyFile(join(sources, `javascript/${library}.mjs`), join(cwd, "receiver.mjs"));
    return { command: [process.execPath, "receiver.mjs"], cwd };
  },

  python: async (bench, library) => {
    const tool = await bench.install(tools.webhooksForPython);
    return { command: [join(tool, "bin/python3"), `${library}_receiver.py`], cwd: join(sources, "python") };
  },

  go: async (bench, library) => {
    const tool = await bench.install(tools.webhooksForGo);
    const cwd = await bench.folder();
    await cp(tool, cwd, { recursive: true });
    await copyFile(join(sources, `go/${library}/main.go`), join(cwd, "main.go"));
    bench.progress("building");
    await runToSuccess("go", ["build", "-mod=mod", "-o", "receiver", "."], { cwd });
    return { command: ["./receiver"], cwd };
  },

  java: async (bench, library) => {
    const tool = await bench.install(tools.webhooksForJava);
    const name = library === "svix" ? "SvixReceiver" : "StandardWebhooksReceiver";
    const cwd = await bench.folder();
    const libraries = join(tool, "lib/*");
    bench.progress("building");
    await runToSuccess("javac", ["-cp", libraries, "-d", cwd, join(sources, `java/${name}.java`)], { cwd });
    return { command: ["java", "-cp", `${libraries}:.`, name], cwd };
  },

  rust: async (bench, library) => {
    const tool = await bench.install(library === "svix" ? tools.svixForRust : tools.standardwebhooksForRust);
    const cwd = await bench.folder();
    await cp(tool, cwd, { recursive: true });
    await copyFile(join(sources, `rust/${library}.rs`), join(cwd, "src/main.rs"));
    bench.progress("building; the first time this takes some minutes");
    // The folder is shared, so that the dependencies are built once.
    const target = join(cache, "rust-target");
    await runToSuccess("cargo", ["build", "--quiet", "--offline", "--target-dir", target], { cwd });
    return { command: [join(target, "debug/foreign")], cwd };
  },

  ruby: async (bench, library) => {
    const tool = await bench.install(library === "svix" ? tools.svixForRuby : tools.standardwebhooksForRuby);
    return { command: ["ruby", join(sources, `ruby/${library}.rb`)], cwd: tool, env: { GEM_PATH: tool } };
  },

  php: async (bench, library) => {
    const tool = await bench.install(library === "svix" ? tools.svixForPhp : tools.standardwebhooksForPhp);
    const cwd = await bench.folder();
    await symlink(join(tool, "vendor"), join(cwd, "vendor"));
    await copyFile(join(sources, `php/${library}.php`), join(cwd, "receiver.php"));
    return { command: ["php", "-S", "127.0.0.1:$PORT", "receiver.php"], cwd };
  },
};

const byLibrary = Object.entries(languages).flatMap(([language, prepare]) =>
  (["standardwebhooks", "svix"] as const).map(
    (library): Case => ({
      name: `${library}-${language}`,
      about: `a receiver with the library ${library} for ${language}`,
      run: async (bench, report) => receive(bench, report, await prepare(bench, library)),
    }),
  ),
);

const webhook: Case = {
  name: "webhook",
  about: "the receiver of Debian's package webhook, by its rule payload-hmac-sha256",
  run: async (bench, report) => {
    const tool = await bench.install(tools.webhook);
    await receive(bench, report, {
      command: [
        join(tool, "usr/bin/webhook"),
        ...["-hooks", join(sources, "webhook/hooks.json.tmpl"), "-template", "-verbose", "-urlprefix", ""],
        ...["-ip", "127.0.0.1", "-port", "$PORT"],
      ],
      cwd: tool,
      path: "/beats",
    });
  },
};

export const receivers: readonly Case[] = [webhook, ...byLibrary];
