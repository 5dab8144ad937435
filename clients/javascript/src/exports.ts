import type { CallOptions } from "./call-options.ts";
import { APIConnectionError, BeatMarketError } from "./errors.ts";
import { type Chunk, download, save } from "./files.ts";
import type { BeatDetail } from "./generated/models.ts";
import { operations } from "./generated/operations.ts";
import { Resource } from "./resource.ts";
import { type ResponseInfo, traced } from "./response.ts";
import { runtime } from "./runtime/runtime.ts";
import { chunksOf } from "./runtime/transport.ts";

/** The hand-written methods of exports of the catalogue. */
export class ExportsTransfers extends Resource {
  /** @internal */
  protected transferBeats(path?: string, options?: CallOptions): Promise<BeatExport> & AsyncIterable<BeatDetail> {
    const beatExport = traced(() => this.#beats(path, options));
    return Object.assign(beatExport, {
      async *[Symbol.asyncIterator](): AsyncGenerator<BeatDetail> {
        yield* await beatExport;
      },
    });
  }

  async #beats(path?: string, options?: CallOptions): Promise<BeatExport> {
    const url = this.sender.url(operations.exportBeats.path, null, options);
    const attempts = this.sender.attempts(`GET ${url}`, options);
    let etag: string | null = null;
    let position = Number.NaN;
    let info: ResponseInfo | undefined;
    const open = async (at: number) => {
      const rangeHeaders = etag === null ? {} : { range: `bytes=${at}-`, "if-range": etag };
      const response = await this.sender.open(url, rangeHeaders, options, "exportBeats", attempts.number);
      const header = response.header("x-change-position");
      if (header === null) throw new APIConnectionError("The response is not an export: it has no X-Change-Position.");
      [etag, position, info] = [response.header("etag"), Number(header), response.info];
      return response;
    };
    const chunks = download({ open, attempts, overlap: 1 });
    if (path !== undefined) {
      await save(path, chunks);
      return new BeatExport(path, position, info as ResponseInfo, () => readFile(path));
    }
    const first = await chunks.next();
    return new BeatExport(undefined, position, info as ResponseInfo, once(first, chunks));
  }
}

/**
 * An export. `for await` reads its beats one at a time. A file can be read any number of times; without a file, the beats
 * can be read once, as they arrive.
 */
export class BeatExport implements AsyncIterable<BeatDetail> {
  /** Undefined if the export is not saved. */
  readonly path: string | undefined;
  /** The export includes every change up to this position. Pass it to `changes.follow`. */
  readonly position: number;
  readonly response: ResponseInfo;
  readonly #read: () => AsyncIterable<Uint8Array>;

  /** @internal */
  constructor(
    path: string | undefined,
    position: number,
    response: ResponseInfo,
    read: () => AsyncIterable<Uint8Array>,
  ) {
    this.path = path;
    this.position = position;
    this.response = response;
    this.#read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BeatDetail, void, undefined> {
    const lines = linesOf(this.#read());
    try {
      for (;;) {
        const { done, value } = await traced(() => lines.next());
        if (done) return;
        yield JSON.parse(value);
      }
    } finally {
      await lines.return();
    }
  }
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const { open } = await runtime.fileSystem();
  yield* (await open(path)).createReadStream();
}

/** The bytes of a stream whose first chunk was already read. They can be read once. */
function once(first: IteratorResult<Chunk>, rest: AsyncGenerator<Chunk>): () => AsyncIterable<Uint8Array> {
  let isRead = false;
  return async function* () {
    if (isRead) throw new BeatMarketError("The export was read before: give exports.beats a path to read it again.");
    isRead = true;
    try {
      let end = 0;
      for (let next = first; !next.done; next = await rest.next()) {
        if (next.value.at !== end)
          throw new APIConnectionError("A newer export took the place of this one while it was read: begin again.");
        end += next.value.bytes.length;
        yield next.value.bytes;
      }
    } finally {
      await rest.return(undefined);
    }
  };
}

/** The lines of a gzip file. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const chunks = bytes[Symbol.asyncIterator]();
  let failure: unknown;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      } catch (error) {
        failure = error;
        controller.error(error);
      }
    },
    cancel: async () => void (await chunks.return?.()),
  });
  const text = source.pipeThrough(new DecompressionStream("gzip")).pipeThrough(new TextDecoderStream());
  let rest = "";
  try {
    for await (const chunk of chunksOf(text)) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (cause) {
    throw failure ?? new APIConnectionError("The export is not whole: begin again.", { cause });
  }
}

/** The hand-written methods of exports of sales. */
export class SalesTransfers extends Resource {
  /** @internal */
  protected async transferExport(month: string, path: string, options?: CallOptions): Promise<SalesExport> {
    const url = this.sender.url(operations.exportSales.path, { month }, options);
    const attempts = this.sender.attempts(`GET ${url}`, options);
    let response: ResponseInfo | undefined;
    const open = async () => {
      const opened = await this.sender.open(url, { accept: "text/csv" }, options, "exportSales", attempts.number);
      response = opened.info;
      return opened;
    };
    await traced(() => save(path, download({ open, attempts, resumes: false })));
    return { path, response: response as unknown as ResponseInfo };
  }
}

/** A downloaded month of sales. */
export interface SalesExport {
  path: string;
  response: ResponseInfo;
}
