import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { IndexQuery, IndexResult } from "@beatmarket/catalogue-index/worker/messages.ts";

export interface Answer {
  position: number | null;
  result: IndexResult;
}

const program = new URL("./asker.main.ts", import.meta.url).pathname;
const timeoutMs = 30_000;

/** An instance of the index in its own process, which can be killed at any moment. */
export class Asker {
  readonly #url: string;
  readonly #dataDir: string;
  #child: ChildProcess | null = null;
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  #lastId = 0;
  /** The lines that the process logged. */
  readonly log: string[] = [];

  constructor(url: string, dataDir: string) {
    this.#url = url;
    this.#dataDir = dataDir;
  }

  /** The answer; null if the query fails, takes 30 seconds, or the process ends before the answer. */
  ask(query: IndexQuery, { isFresh }: { isFresh: boolean }): Promise<Answer | null> {
    const child = this.#child ?? this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(null), timeoutMs);
      const settle = (answer: Answer | null) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, settle);
      child.stdin?.write(`${JSON.stringify({ id, isFresh, query })}\n`, () => {});
    });
  }

  /** Kills the process immediately, or stops it and kills it `afterMs` later, when it may be writing its snapshot. */
  async kill(afterMs: number | null): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const ended = once(child, "exit");
    if (afterMs !== null) {
      child.kill("SIGTERM");
      await Promise.race([ended, sleep(afterMs)]);
    }
    child.kill("SIGKILL");
    await ended;
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [program, this.#url, this.#dataDir], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => {});
    createInterface(child.stderr).on("line", (line) => this.log.push(line));
    createInterface(child.stdout).on("line", (line) => {
      const answer = JSON.parse(line) as Answer & { id: number; failure?: string };
      this.#waiting.get(answer.id)?.(answer.failure === undefined ? answer : null);
    });
    child.once("exit", () => {
      if (this.#child === child) this.#child = null;
      for (const settle of this.#waiting.values()) settle(null);
    });
    this.#child = child;
    return child;
  }
}
