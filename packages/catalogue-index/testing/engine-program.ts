import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { namedTraits } from "../src/engine/search/interpretation.ts";
import { isMusicWord } from "../src/engine/search/vocabulary.ts";
import type { CatalogueChange } from "../src/entry.ts";
import type { ListQuery, ListResult, SearchQuery, SearchResult } from "../src/query.ts";

const beatsOfMessage = 20_000;

interface Answer {
  result: unknown;
  cpuSeconds: number;
}

/** An engine that is another program: it reads a question as one line of JSON, and writes the answer as another one. */
export class EngineProgram {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;
  /** The CPU time of all answers, as the program reports it. */
  cpuSeconds = 0;

  /** `command`: the program and its parameters. */
  constructor([program = "", ...parameters]: readonly string[]) {
    this.#child = spawn(program, parameters, { stdio: ["pipe", "pipe", "inherit"] });
    // A program that did not start, or has ended, is reported by its missing answer.
    this.#child.on("error", () => {});
    this.#child.stdin.on("error", () => {});
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async load({ beats, producers, genres }: CatalogueChange): Promise<void> {
    await this.#ask("rows", { beats: [], producers, genres });
    for (let at = 0; at < beats.length; at += beatsOfMessage)
      await this.#ask("rows", { beats: beats.slice(at, at + beatsOfMessage), producers: [], genres: [] });
    await this.#ask("commit", null);
  }

  list(query: ListQuery): Promise<ListResult> {
    return this.#ask("list", query) as Promise<ListResult>;
  }

  /** Searches by the prices, tempos and keys that the text names, as the index does, and otherwise by all words. */
  async search(query: SearchQuery): Promise<SearchResult> {
    const traits = namedTraits(query.text, (text) => isMusicWord({ text }));
    if (traits !== undefined) {
      const { rest, bpm, keys, priceCents } = traits;
      const filters = { ...query.filters, keys, priceCents, bpm: bpm && [bpm] };
      const result = (await this.#ask("search", { ...query, text: rest, filters })) as SearchResult;
      if (result.hits.length > 0) return result;
    }
    return (await this.#ask("search", query)) as SearchResult;
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      await new Promise((resolve) => this.#child.once("close", resolve));
  }

  async #ask(method: string, question: unknown): Promise<unknown> {
    this.#child.stdin.write(`${JSON.stringify({ [method]: question })}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`The engine ${this.#child.spawnfile} did not start, or ended before its answer.`);
    const { result, cpuSeconds } = JSON.parse(value) as Answer;
    this.cpuSeconds += cpuSeconds;
    return result;
  }
}
