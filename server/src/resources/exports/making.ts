import { fork } from "node:child_process";
import { Export, fingerprintOf } from "./export.ts";
import type { Failure, Load } from "./make-export.main.ts";
import type { MakeJob, Progress } from "./make-export.ts";

/** A process that has written nothing for so long is ended. */
const stalledMs = 120_000;
const loadIntervalMs = 200;
const heapBounds = ["--max-old-space-size=128", "--max-semi-space-size=8"];

/** An export that is being made, in a process of its own. */
export interface Making {
  /** Resolves when the first bytes are written; rejects when it fails before. */
  began: Promise<Export>;
  /** Rejects when it fails. */
  ended: Promise<void>;
  /** Ends the process: the export fails. */
  stop(): void;
}

/** Starts to make an export. */
export function startMaking(job: MakeJob): Making {
  const began = Promise.withResolvers<Export>();
  const ended = Promise.withResolvers<void>();
  const child = fork(new URL("./make-export.main.ts", import.meta.url), { execArgv: heapBounds, stdio: "inherit" });
  let made: Export | null = null;
  let failure: Error | null = null;
  const stop = () => void child.kill("SIGKILL");
  let watchdog = setTimeout(stop, stalledMs).unref();

  let before = performance.eventLoopUtilization();
  const loads = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (child.connected) child.send({ busyShare: utilization } satisfies Load, () => {});
  }, loadIntervalMs).unref();

  const advance = ({ position, bytes, isComplete }: Progress): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(stop, stalledMs).unref();
    if (made === null) {
      const { folder, form, publicUrl, takenAtMs } = job;
      const name = { position, form, fingerprint: fingerprintOf(form, publicUrl) };
      made = new Export(folder, name, { takenAtMs, bytes, isComplete });
      began.resolve(made);
    } else made.grow(bytes, isComplete);
    if (isComplete) end("");
  };
  const end = (reason: string): void => {
    clearTimeout(watchdog);
    clearInterval(loads);
    if (made?.isComplete === true) {
      ended.resolve();
      return;
    }
    failure ??= new Error(`The process that makes exports ended before it was through: ${reason}.`);
    made?.fail(failure);
    began.reject(failure);
    ended.reject(failure);
  };
  child.on("message", (message: Progress | Failure) => {
    if ("bytes" in message) advance(message);
    else failure = Object.assign(new Error(message.message), { code: message.code });
  });
  child.once("error", (error) => {
    failure ??= error;
    end("it did not start");
  });
  child.once("exit", (code, signal) => end(signal ?? `status ${code}`));
  child.send(job, () => {});
  return { began: began.promise, ended: ended.promise, stop };
}
