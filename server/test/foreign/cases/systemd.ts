import { chmod, cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { programEnv, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import type { Case } from "../case.ts";
import { run, runToSuccess, Unavailable } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const root = join(import.meta.dirname, "../../../..");
const units = join(root, "deploy/systemd");
const confine = join(import.meta.dirname, "../callers/confine.py");
/** The limit on a scale to 10. systemd calls values below 5 "OK", and below 2 "SAFE". */
const maxExposure = 3;
const nobody = 65534;

/** The system calls of each of systemd's sets, which may contain other sets. */
async function readSets(): Promise<Map<string, string[]>> {
  const text = await runToSuccess("systemd-analyze", ["syscall-filter", "--no-pager"], { cwd: "/" });
  const sets = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    if (/^@/.test(line)) sets.set(line.trim(), []);
    const name = /^ {4}(@?[a-z0-9_-]+)$/.exec(line)?.[1];
    if (name !== undefined) [...sets.values()].at(-1)?.push(name);
  }
  return sets;
}

/** The system calls that the `SystemCallFilter` lines of a unit allow. */
function allowedCalls(unit: string, sets: ReadonlyMap<string, string[]>): string[] {
  const callsOf = (name: string): string[] => (name.startsWith("@") ? (sets.get(name) ?? []).flatMap(callsOf) : [name]);
  const allowed = new Set<string>();
  for (const [, negation, names = ""] of unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm))
    for (const call of names.split(" ").flatMap(callsOf)) {
      if (negation === "~") allowed.delete(call);
      else allowed.add(call);
    }
  return [...allowed];
}

export const systemdCase: Case = {
  name: "systemd",
  about: "deploy/systemd: exposure as systemd-analyze rates it, and the server under the units' system calls",
  run: async (bench, report) => {
    for (const name of await readdir(units)) {
      const { output } = await run("systemd-analyze", ["security", "--offline=yes", join(units, name)], { cwd: "/" });
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(output)?.[1]);
      report.bound(`exposure of ${name}`, exposure, maxExposure, "of 10");
    }

    const tool = await bench.install(tools.seccomp);
    const unit = await readFile(join(units, "beatmarket.service"), "utf8");
    const calls = allowedCalls(unit, await readSets());
    report.check(
      "the unit restricts system calls",
      calls.includes("openat") && !calls.includes("mount"),
      `${calls.length} allowed`,
    );
    const isRoot = process.getuid?.() === 0;
    const ids = isRoot ? { uid: nobody, gid: nobody } : {};
    const folder = await bench.folder();
    await chmod(folder, 0o777);
    // The copy is in a folder that the account can read.
    await cp(join(tool, "usr/lib/python3/dist-packages"), join(folder, "python"), { recursive: true });
    const env = { ...programEnv, PYTHONPATH: join(folder, "python"), HOME: folder };
    const serve = async (dataDir: string, allowed: readonly string[]) =>
      startProgram(
        "/usr/bin/python3",
        [confine, allowed.join(","), process.execPath, join(root, "server/src/main.ts"), "serve", "--json"],
        {
          ...ids,
          cwd: "/",
          env: { ...env, DATA_DIR: join(folder, dataDir), PORT: String(await freePort()), LOG_LEVEL: "warn" },
        },
      );
    const server = await serve("data", calls);
    try {
      const ready = JSON.parse(
        await server.nextLine().catch((error) => {
          if (/ModuleNotFoundError|EACCES|Permission denied: /.test(String(error)))
            throw new Unavailable(String(error));
          throw error;
        }),
      ) as { ready: string; ca_file: string };
      const fetched = await run(
        "curl",
        ["--silent", "--cacert", ready.ca_file, `${new URL(ready.ready).origin}/readyz`],
        { cwd: "/" },
      );
      report.check(
        "the server and its PostgreSQL run with the allowed system calls",
        fetched.stdout === '{"status":"ready"}',
        fetched.output,
      );
    } finally {
      server.child.kill("SIGTERM");
    }
    const { code, signal } = await server.ended;
    report.check("the server stops", code === 0, String(signal ?? code));
    const withoutSockets = await serve(
      "other",
      calls.filter((call) => call !== "socket"),
    );
    const failed = await withoutSockets.ended;
    report.check(
      "the server does not run without a system call that it needs",
      failed.code !== 0,
      failed.stderr.slice(-200) || String(failed.code),
    );
  },
};
