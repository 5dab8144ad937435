import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mediaFolder } from "../../testing/files.ts";
import { runBounded } from "./bounded-process.ts";
import { sandboxed } from "./sandbox.ts";

const program = join(import.meta.dirname, "../../testing/sandbox-tries.mjs");

test.each([false, true])(
  "none of more than 64 attempts to escape from the sandbox succeeds (addons: %s)",
  async (allowsAddons) => {
    const folder = await realpath(await mediaFolder());
    const [outDir, outside] = [join(folder, "out"), join(folder, "outside")];
    await mkdir(outDir);
    await mkdir(outside);
    const secret = join(outside, "secret.mjs");
    await writeFile(secret, "SECRET=1\n");
    await copyFile(program, join(outDir, "tries.mjs"));
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    let connections = 0;
    server.on("connection", () => connections++);
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    onTestFinished(() => void other.kill());
    const parameter = { outDir, outside, secret, code: join(import.meta.dirname, ".."), port, pid: other.pid };

    const { result, stderr } = await runBounded(
      sandboxed([join(outDir, "tries.mjs"), JSON.stringify(parameter)], { reads: [], outDir, allowsAddons }),
      {
        signal: new AbortController().signal,
        limits: { timeoutMs: 60_000, maxMemoryBytes: 2 ** 30, maxFileBytes: 2 ** 20 },
      },
    );

    expect(result, stderr).not.toBe("");
    const outcomes = Object.entries(JSON.parse(result) as Record<string, string>);
    expect(outcomes.length).toBeGreaterThan(64);
    expect(outcomes.filter(([, outcome]) => outcome === "done")).toEqual([]);
    expect(await readdir(outside)).toEqual(["secret.mjs"]);
    expect(await readFile(secret, "utf8")).toBe("SECRET=1\n");
    expect([connections, other.exitCode, other.signalCode]).toEqual([0, null, null]);
  },
);
