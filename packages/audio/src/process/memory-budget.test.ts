import { execFile } from "node:child_process";
import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";
import { mediaFile, mediaFolder } from "../../testing/files.ts";
import { MemoryBudget, memoryForTasks, ownMemoryBytes } from "./memory-budget.ts";

const MB = 1024 * 1024;
const run = promisify(execFile);
const { signal } = new AbortController();

describe("the memory for tasks is the limit of this process minus its own memory, at least 128 MB", () => {
  test.each<[string, { constrainedBytes: number; machineBytes: number }, number]>([
    ["a container of 1 GB", { constrainedBytes: 1024 * MB, machineBytes: 64_000 * MB }, 1024 * MB - ownMemoryBytes],
    [
      "no limit, as Linux reports it",
      { constrainedBytes: 2 ** 64, machineBytes: 4000 * MB },
      4000 * MB - ownMemoryBytes,
    ],
    [
      "no limit, as other systems report it",
      { constrainedBytes: 0, machineBytes: 4000 * MB },
      4000 * MB - ownMemoryBytes,
    ],
    [
      "a container with less memory than this process needs",
      { constrainedBytes: 200 * MB, machineBytes: 4000 * MB },
      128 * MB,
    ],
  ])("%s", (_what, limits, expected) => expect(memoryForTasks(limits)).toBe(expected));
});

describe("a budget", () => {
  /** Tasks that run until a test ends them. */
  function tasks(budget: MemoryBudget) {
    const log: string[] = [];
    const ends: Record<string, () => void> = {};
    const begin = (name: string, bytes: number, until: AbortSignal = signal) =>
      budget.run(bytes, until, async (maxMemoryBytes) => {
        log.push(`${name} ${maxMemoryBytes}`);
        await new Promise<void>((resolve) => {
          ends[name] = resolve;
          until.addEventListener("abort", () => resolve(), { once: true });
          if (until.aborted) resolve();
        });
      });
    return { log, ends, begin };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test("is never exceeded, and tasks start in the order of their calls", async () => {
    const { log, ends, begin } = tasks(new MemoryBudget(100));
    const all = [begin("a", 60), begin("b", 60), begin("c", 10)];
    await turn();
    expect(log).toEqual(["a 60"]);
    ends.a?.();
    await turn();
    expect(log).toEqual(["a 60", "b 60", "c 10"]);
    ends.b?.();
    ends.c?.();
    await Promise.all(all);
  });

  test("limits a larger task to the whole budget", async () => {
    const { log, ends, begin } = tasks(new MemoryBudget(100));
    const task = begin("a", 500);
    await turn();
    expect(log).toEqual(["a 100"]);
    ends.a?.();
    await task;
  });

  test("is released after an abort or a failure, so that the next task starts", async () => {
    const budget = new MemoryBudget(100);
    const { log, ends, begin } = tasks(budget);
    const stopping = new AbortController();
    const all = [begin("a", 60), begin("b", 60, stopping.signal), begin("c", 40)];
    await turn();
    expect(log).toEqual(["a 60"]);
    stopping.abort();
    await turn();
    expect(log).toEqual(["a 60", "b 60", "c 40"]);
    ends.a?.();
    ends.c?.();
    await Promise.all(all);
    await expect(budget.run(100, signal, () => Promise.reject(new Error("planted")))).rejects.toThrow("planted");
    expect(await budget.run(100, signal, async (bytes) => bytes)).toBe(100);
  });
});

/** Creates a control group with a memory limit, version 1 or 2. Returns null if the machine does not allow it. */
async function controlGroup(bytes: number): Promise<string | null> {
  const name = `beatmarket-test-${process.pid}`;
  const candidates = [
    ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"],
    ["/sys/fs/cgroup", "memory.max"],
  ] as const;
  for (const [parent, file] of candidates) {
    const group = join(parent, name);
    try {
      await mkdir(group);
      onTestFinished(() => rmdir(group));
      await readFile(join(group, file));
      await writeFile(join(group, file), `${bytes}`);
      return group;
    } catch {
      // Try the next version.
    }
  }
  return null;
}

describe("a cover of 50 megapixels in a container", () => {
  const cover = async (isProgressive: boolean): Promise<string> =>
    mediaFile(
      await sharp({ create: { width: 7071, height: 7071, channels: 3, background: "red" } })
        .jpeg({ progressive: isProgressive, chromaSubsampling: "4:4:4" })
        .toBuffer(),
    );
  const program = `
    const { runMediaTask } = await import(${JSON.stringify(join(import.meta.dirname, "../run-media-task.ts"))});
    const [input, outDir] = process.argv.slice(1);
    const task = { kind: "cover", input, outDir };
    const outcome = await runMediaTask(task, { signal: new AbortController().signal }).catch((error) => error.reason);
    console.log(JSON.stringify(outcome));`;
  /** The outcome of a cover task in a process with a memory limit. */
  async function outcomeWithin(bytes: number, input: string, skip: (why: string) => void): Promise<unknown> {
    const group = await controlGroup(bytes);
    if (group === null) return skip("no control group can be made on this machine");
    const script = 'echo $$ > "$1/cgroup.procs" && shift && exec "$@"';
    const command = [process.execPath, "--input-type=module", "--eval", program, input, await mediaFolder()];
    return JSON.parse((await run("/bin/sh", ["-c", script, "sh", group, ...command])).stdout);
  }

  test("fits into 512 MB as a baseline JPEG", async ({ skip }) => {
    expect(await outcomeWithin(512 * MB, await cover(false), skip)).toMatchObject({ width: 1500, height: 1500 });
  });

  test("as a progressive JPEG is refused because of its memory, and no process is killed", async ({ skip }) => {
    expect(await outcomeWithin(512 * MB, await cover(true), skip)).toMatch(
      /7071 × 7071 pixels and takes 476 MB of memory to read, of 268 MB: save it without progressive/,
    );
  });

  test("fits into 1 GB, the limit of a worker in the manifests, as a progressive JPEG", async ({ skip }) => {
    expect(await outcomeWithin(1024 * MB, await cover(true), skip)).toMatchObject({ width: 1500, height: 1500 });
  });
});
