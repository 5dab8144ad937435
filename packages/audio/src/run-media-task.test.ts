import { mkdir, readdir, realpath, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { mp3, wav } from "../testing/audio-files.ts";
import { png, zip } from "../testing/bombs.ts";
import { mediaFile, mediaFolder } from "../testing/files.ts";
import { beat } from "../testing/signals.ts";
import { MediaTaskError } from "./media-task.ts";
import { runBounded } from "./process/bounded-process.ts";
import { sandboxed } from "./process/sandbox.ts";
import { mediaLimits, runMediaTask } from "./run-media-task.ts";

const { signal } = new AbortController();

/** Puts a program at the start of the search path until the end of the test. `alone` removes the other folders. */
async function withProgram(name: string | null, script: string, { alone }: { alone: boolean }): Promise<void> {
  const folder = await mediaFolder();
  if (name !== null) await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const before = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = before;
  });
  process.env.PATH = alone ? folder : [folder, before].join(delimiter);
}

describe("a task", () => {
  test("runs in a child process and writes its files into the folder", async () => {
    const outDir = await mediaFolder();
    const preview = await runMediaTask(
      {
        kind: "preview",
        input: await mediaFile(await mp3(beat(2))),
        outDir,
        tag: { file: await mediaFile(wav(beat(1))) },
      },
      { signal },
    );
    expect(preview).toMatchObject({ sampleRate: 44_100, channels: 2 });
    expect(
      await runMediaTask({ kind: "cover", input: await mediaFile(png(30, 20)), outDir }, { signal }),
    ).toMatchObject({
      width: 30,
      height: 20,
    });
    expect((await readdir(outDir)).sort()).toEqual(["cover-small.webp", "cover.jpg", "preview.mp3"]);
  });

  test("rejects with a final reason if the file is unusable", async () => {
    const bomb = { kind: "cover", input: await mediaFile(png(60_000, 60_000)), outDir: await mediaFolder() } as const;
    await expect(runMediaTask(bomb, { signal })).rejects.toMatchObject({
      name: "MediaTaskError",
      reason: expect.stringMatching("60000 × 60000 pixels"),
      isFinal: true,
    });
  });

  test("rejects with a reason that is not final after a time-out or an abort", async () => {
    const input = await mediaFile(await zip({ "a.wav": wav(beat(1)) }));
    const task = { kind: "stems", input, outDir: await mediaFolder() } as const;
    const aborted = new AbortController();
    const outcomes = Promise.allSettled([
      runMediaTask(task, { signal, limits: { ...mediaLimits.stems, timeoutMs: 1 } }),
      runMediaTask(task, { signal: AbortSignal.abort() }),
      runMediaTask(task, { signal: aborted.signal }),
    ]);
    aborted.abort();
    for (const outcome of await outcomes) {
      const error: unknown = outcome.status === "rejected" ? outcome.reason : null;
      expect(error).toBeInstanceOf(MediaTaskError);
      expect(error).toMatchObject({ isFinal: false, reason: expect.stringMatching(/too long|stopped/) });
    }
  });

  test("decodes M4A by ffmpeg, and refuses it with a remedy if that fails", async () => {
    const m4a = await mediaFile(Buffer.concat([Buffer.from("\0\0\0\x20ftypM4A ", "latin1"), Buffer.alloc(100)]));
    const outDir = await mediaFolder();
    const task = { kind: "preview", input: m4a, outDir, tag: "none" } as const;
    await withProgram(null, "", { alone: true });
    await expect(runMediaTask(task, { signal })).rejects.toMatchObject({
      reason: "M4A and AAC cannot be read here: export WAV, FLAC or MP3.",
      isFinal: true,
    });
    // A substitute for ffmpeg that always outputs the same file.
    const decoded = await mediaFile(wav(beat(1.5)));
    await withProgram("ffmpeg", `for last; do :; done; /bin/cp '${decoded}' "$last"`, { alone: true });
    expect(await runMediaTask(task, { signal })).toMatchObject({ durationSeconds: 1.5 });
    expect(await readdir(outDir)).toEqual(["preview.mp3"]);
    await withProgram("ffmpeg", "exit 1", { alone: true });
    await expect(runMediaTask(task, { signal })).rejects.toMatchObject({
      reason: expect.stringMatching("M4A file is damaged"),
      isFinal: true,
    });
    await withProgram("ffmpeg", "echo \"Stream map '0:a:0' matches no streams.\" >&2; exit 1", { alone: true });
    await expect(runMediaTask(task, { signal })).rejects.toMatchObject({
      reason: "The M4A file has no audio in it: export WAV, FLAC or MP3.",
      isFinal: true,
    });
  });

  test("decodes AAC from its first frame", async () => {
    const frame = Buffer.concat([Buffer.from("fff15c40040000", "hex"), Buffer.alloc(25)]);
    const tag = Buffer.from("ID3\x03\0\0\0\0\0\x0cTIT2\0\0\0\x02\0\0\0x", "latin1");
    const input = await mediaFile(Buffer.concat([tag, Buffer.from("\r\n"), frame, frame, frame]));
    const decoded = await mediaFile(wav(beat(1.5)));
    const script = `case "$*" in *"-skip_initial_bytes 24 "*) for last; do :; done; exec /bin/cp '${decoded}' "$last";; esac; exit 1`;
    await withProgram("ffmpeg", script, { alone: true });
    const task = { kind: "preview", input, outDir: await mediaFolder(), tag: "none" } as const;
    expect(await runMediaTask(task, { signal })).toMatchObject({ durationSeconds: 1.5 });
  });
});

describe("the sandbox", () => {
  /** Runs lines of code with the permissions of a task. Returns their report. */
  async function probe(lines: string, { allowsAddons = false } = {}): Promise<unknown> {
    const outDir = await realpath(await mediaFolder());
    const program = join(outDir, "probe.mjs");
    await writeFile(
      program,
      `import fs from "node:fs"; const outDir = ${JSON.stringify(outDir)};
       const attempt = async (act) => { try { await act(); return "allowed"; } catch (error) { return error.code; } };
       const report = (value) => fs.writeSync(3, JSON.stringify(value) + "\\n");
       ${lines}`,
    );
    const { result, stderr } = await runBounded(sandboxed([program], { reads: [], outDir, allowsAddons }), {
      signal,
      limits: { timeoutMs: 120_000, maxMemoryBytes: 2 ** 30, maxFileBytes: 2 ** 20 },
    });
    if (result === "") throw new Error(stderr);
    return JSON.parse(result);
  }

  test.each([false, true])("denies network, processes, threads and other files (addons: %s)", async (allowsAddons) => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const outside = await mediaFile(Buffer.from("secret"));
    await mkdir(join(outside, "../elsewhere"));
    const report = await probe(
      `const { connect } = await import("node:net");
       const { spawnSync } = await import("node:child_process");
       const { Worker } = await import("node:worker_threads");
       report({
         network: await attempt(() => new Promise((resolve, reject) => connect(${port}, "127.0.0.1").on("connect", resolve).on("error", reject))),
         processes: await attempt(() => spawnSync("/bin/true")),
         threads: await attempt(() => new Worker("", { eval: true })),
         reading: await attempt(() => fs.readFileSync(${JSON.stringify(outside)})),
         passwords: await attempt(() => fs.readFileSync("/etc/passwd")),
         writing: await attempt(() => fs.writeFileSync(${JSON.stringify(join(outside, "../elsewhere/file"))}, "")),
         results: await attempt(() => fs.writeFileSync(outDir + "/result", "")),
       });`,
      { allowsAddons },
    );
    expect(report).toEqual({
      network: "ERR_ACCESS_DENIED",
      processes: "ERR_ACCESS_DENIED",
      threads: "ERR_ACCESS_DENIED",
      reading: "ERR_ACCESS_DENIED",
      passwords: "ERR_ACCESS_DENIED",
      writing: "ERR_ACCESS_DENIED",
      results: "allowed",
    });
  });

  test("passes only the search path of the environment", async () => {
    process.env.SECRET_OF_THE_SERVER = "x";
    onTestFinished(() => {
      delete process.env.SECRET_OF_THE_SERVER;
    });
    expect(await probe("report(Object.keys(process.env).sort());")).toEqual(["MALLOC_ARENA_MAX", "PATH"]);
  });

  test("kills a process that exceeds its memory or time, and limits the size of files and of the result", async () => {
    const run = (code: string, limits: Partial<(typeof mediaLimits)["stems"]>) =>
      runBounded([process.execPath, "-e", code], {
        signal,
        limits: { timeoutMs: 120_000, maxMemoryBytes: 2 ** 30, maxFileBytes: 2 ** 20, ...limits },
      });
    const allocating = `const buffers = []; setInterval(() => buffers.push(Buffer.alloc(10_000_000, 1)), 1)`;
    expect(await run(allocating, { maxMemoryBytes: 200_000_000 })).toMatchObject({ endedBy: "memory" });
    expect(await run("for (;;);", { timeoutMs: 300 })).toMatchObject({ endedBy: "time" });
    const file = join(await mediaFolder(), "large");
    const writing = `try { require("fs").writeFileSync(${JSON.stringify(file)}, Buffer.alloc(2_000_000)) } catch (error) { require("fs").writeSync(3, error.code) }`;
    expect(await run(writing, {})).toMatchObject({ result: "EFBIG", endedBy: null });
    expect(
      (await run(`for (let n = 0; n < 1000; n++) require("fs").writeSync(3, "x".repeat(1000))`, {})).result.length,
    ).toBe(65_536);
  });
});
