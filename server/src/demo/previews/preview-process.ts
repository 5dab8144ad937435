import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Analysis } from "@beatmarket/audio/media-task.ts";
import type { LoopBeat } from "../loop/loop.ts";
import type { PreviewRequest, PreviewResult } from "./make-preview.main.ts";

const main = join(import.meta.dirname, "make-preview.main.ts");
const timeoutMs = 60_000;

/** Renders loops, and makes their previews and waveforms, in a child process of the lowest priority. */
export class PreviewProcess {
  #running: { child: ChildProcess; ended: AbortSignal } | null = null;

  /**
   * Writes `preview.mp3`, `waveform.json` and `waveform-detail.json` into a folder. One at a time. Rejects, and ends the
   * child, at the abort of `signal` and after a minute; the next call starts another one.
   */
  async make(beat: LoopBeat, folder: string, signal: AbortSignal): Promise<Analysis> {
    try {
      signal.throwIfAborted();
      this.#running ??= start();
      const { child, ended } = this.#running;
      child.send({ beat, folder } satisfies PreviewRequest);
      const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs), ended]);
      const [result] = (await once(child, "message", { signal: stop })) as [PreviewResult];
      if ("error" in result) throw new Error(result.error);
      return result.analysis;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Ends the child. */
  close(): void {
    this.#running?.child.kill("SIGKILL");
    this.#running = null;
  }
}

function start(): { child: ChildProcess; ended: AbortSignal } {
  const ending = new AbortController();
  const child = fork(main, { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: ["--max-old-space-size=256"] });
  child.once("exit", () => ending.abort(new Error("The process that makes previews ended.")));
  // A failure to start or to send; the exit follows, or the time limit.
  child.on("error", (error) => ending.abort(error));
  return { child, ended: ending.signal };
}
