import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Report } from "../harness/programmes/report.ts";
import { choose, summary } from "../harness/programmes/run-parts.ts";
import type { Bench } from "./bench.ts";
import type { Case } from "./case.ts";
import { cases, play } from "./programme.ts";
import { folderOf, reasonIn } from "./tools/install.ts";
import { run, runToSuccess, Unavailable } from "./tools/run.ts";
import { type Tool, tools } from "./tools/versions.ts";

// Unit tests of `npm run foreign`. Only that command installs and runs the tools.

describe("a case", () => {
  const played = async (error: Error | null) => {
    const report = new Report({ bounds: "held" });
    const testCase: Case = {
      name: "trial",
      about: "",
      run: async (_, { check }) => {
        if (error !== null) throw error;
        check.call(report, "holds", true, 1);
      },
    };
    await play(testCase, {} as Bench, report);
    return report.results.map(({ outcome, figure }) => `${outcome}: ${figure}`);
  };

  test("is skipped with the reason if its tool cannot be installed, and fails for any other error", async () => {
    expect(await played(null)).toEqual(["passed: 1"]);
    expect(await played(new Unavailable("There is no network."))).toEqual(["skipped: There is no network."]);
    expect(await played(new Error("It broke."))).toEqual(["failed: It broke."]);
  });

  test("has a unique name", () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
    expect(cases.length).toBeGreaterThan(20);
  });
});

describe("--only", () => {
  const parts = ["svix-go", "svix-rust", "webhook"].map((name) => ({ name, about: "" }));
  const names = (only: string[]) => {
    const selection = choose(parts, only);
    return typeof selection === "string" ? selection : selection.map(({ name }) => name);
  };

  test("accepts names, lists with commas, and * for any characters", () => {
    expect(names(["webhook"])).toEqual(["webhook"]);
    expect(names(["webhook,svix-go", "svix-rust"])).toEqual(["svix-go", "svix-rust", "webhook"]);
    expect(names(["svix-*"])).toEqual(["svix-go", "svix-rust"]);
  });

  test("lists the valid names if a name is unknown", () => {
    expect(names(["svix-go", "svix-cobol"])).toBe("There is no svix-cobol; there are svix-go, svix-rust, webhook.");
  });
});

test("the last line has the counts, after the names of skipped cases", () => {
  const result = { part: "svix-ruby", check: "is not installed", figure: "no registry" };
  expect(summary([{ ...result, outcome: "passed" }])).toEqual(["1 passed, 0 failed"]);
  expect(
    summary([
      { ...result, outcome: "skipped" },
      { ...result, outcome: "failed" },
    ]),
  ).toEqual(["1 skipped:", "  svix-ruby: is not installed: no registry", "0 passed, 1 failed"]);
});

describe("a program", () => {
  const node = (script: string, timeoutMs = 120_000) =>
    run(process.execPath, ["-e", script], { cwd: tmpdir(), timeoutMs });

  test("runs to its end, and its result has the output of both streams", async () => {
    expect(await node("console.log('out'); process.exitCode = 3; console.error('error')")).toMatchObject({
      status: 3,
      stdout: "out\n",
      output: expect.stringContaining("error"),
    });
  });

  test("is killed with all its child processes when its time is over", async () => {
    const { status, output } = await node(
      "require('node:child_process').spawnSync('sleep', ['1000'], { stdio: 'inherit' })",
      300,
    );
    expect(status).toBe(null);
    expect(output).toContain("Killed after 0.3 s.");
  });

  test("makes its tool unavailable if it is missing on this machine", async () => {
    await expect(run("no-such-program", [], { cwd: tmpdir() })).rejects.toThrow(Unavailable);
  });

  test("fails with its output if it has to succeed", async () => {
    const failing = runToSuccess(process.execPath, ["-e", "console.log('why'); process.exit(1)"], { cwd: tmpdir() });
    await expect(failing).rejects.toThrow(/ended with 1:\nwhy/);
  });
});

test("the reason for an unavailable tool is the output line of the error, not the usage text after it", () => {
  expect(reasonIn("\nLoading\n  Could not resolve host\n\nusage: install [--help]")).toBe("Could not resolve host");
  expect(reasonIn("Loading\nNo such package.")).toBe("No such package.");
  expect(reasonIn("")).toBe("no reason given");
});

describe("the folder of a tool", () => {
  const spectral: Tool = tools.spectral;
  const version = (packages: Record<string, string>) => folderOf({ ...spectral, packages });

  test("differs for another version, and is outside of the repository", async () => {
    const folders = [version({ spectral: "1.0.0" }), version({ spectral: "1.0.1" })];
    expect(new Set(folders).size).toBe(2);
    for (const folder of folders) expect(folder).not.toContain(join(import.meta.dirname, "../../.."));
  });

  test("has packages of exact versions, except from registries that were unreachable", () => {
    for (const { registry, packages } of Object.values<Tool>(tools))
      if (registry !== "RubyGems" && registry !== "Packagist")
        for (const packageVersion of Object.values(packages))
          expect(packageVersion).toMatch(/^v?\d+(\.\w+)+(-[\w.]+)?$/);
  });
});
