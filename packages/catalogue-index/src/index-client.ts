import type { MessagePort } from "node:worker_threads";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { FollowedVersion } from "./catalogue-index.ts";
import type {
  CatalogueQueries,
  ListQuery,
  ListResult,
  SearchQuery,
  SearchResult,
  SimilarHit,
  SimilarQuery,
} from "./query.ts";
import { type Answer, building, QuestionSender, unavailable } from "./question-sender.ts";
import type { FromThread, IndexQuery } from "./worker/messages.ts";

const buildWaitMs = 2_000;
const tickMs = 1_000;

/**
 * Asks the index from another thread of the process, by the port from `CatalogueIndex.share`. `version` must have the
 * same numbers as the version that the index's thread follows, for example because both share memory.
 */
export class IndexClient implements CatalogueQueries {
  readonly #version: Pick<FollowedVersion, "current">;
  readonly #questions = new QuestionSender((questions) => this.#port?.postMessage(questions));
  readonly #ticking = setInterval(() => this.#questions.expire(), tickMs);
  #port: MessagePort | null = null;
  #isReady = false;
  #ready = Promise.withResolvers<void>();

  constructor(version: Pick<FollowedVersion, "current">) {
    this.#version = version;
  }

  /** Asks by this port from now on. */
  use(port: MessagePort): void {
    this.#port = port;
    port.on("message", ({ replies, state }: FromThread) => {
      if (state !== undefined) this.#setReady(state.isReady);
      this.#questions.settle(replies ?? []);
    });
    port.on("close", () => {
      if (this.#port !== port) return;
      this.#port = null;
      this.#setReady(false);
      this.#questions.refuseAll(unavailable("The catalogue's index had to be started again. Try again in 2 seconds."));
    });
  }

  list = async (query: ListQuery): Promise<ListResult> => (await this.#ask({ list: query })).result as ListResult;

  search = async (query: SearchQuery): Promise<SearchResult> =>
    (await this.#ask({ search: query })).result as SearchResult;

  similar = async (query: SimilarQuery): Promise<SimilarHit[]> =>
    (await this.#ask({ similar: query })).result as SimilarHit[];

  close(): void {
    clearInterval(this.#ticking);
    this.#port?.close();
  }

  async #ask(query: IndexQuery): Promise<Answer> {
    const version = this.#version.current;
    if (!this.#isReady) await withTimeout(this.#ready.promise, buildWaitMs, building);
    return this.#questions.ask(version, query);
  }

  #setReady(isReady: boolean): void {
    if (isReady && !this.#isReady) this.#ready.resolve();
    if (!isReady && this.#isReady) this.#ready = Promise.withResolvers();
    this.#isReady = isReady;
  }
}
