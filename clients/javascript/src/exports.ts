import { APIConnectionError } from "./errors.ts";
import type { BeatDetail } from "./models.ts";
import type { ResponseInfo } from "./response.ts";
import type { CallOptions, Download, Sender } from "./sender.ts";
import { TargetFile } from "./target-file.ts";
import type { WireHead } from "./transport/transport.ts";

/** Exports of the catalogue. On Node, Deno and Bun: they are written to files. */
export class Exports {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /**
   * Downloads all beats into a file, as gzip of one line of JSON each, and goes on where a connection breaks. `timeoutMs` is
   * how long it waits for the next bytes. A key may take one export an hour: then it rejects with a RateLimitError.
   */
  async beats(path: string, options: CallOptions = {}): Promise<BeatExport> {
    const file = await TargetFile.open(path);
    try {
      const download = new ExportDownload(file);
      const url = this.#sender.url("/exports/beats.ndjson.gz");
      const { response } = await this.#sender.send({ method: "GET", url, download, options });
      return new BeatExport(path, download.position, response);
    } finally {
      await file.close();
    }
  }
}

/** A downloaded export. `for await` reads its beats from the file, one at a time. */
export class BeatExport implements AsyncIterable<BeatDetail> {
  readonly path: string;
  /** The export has every change up to this position: what `changes.follow` goes on from. */
  readonly position: number;
  readonly response: ResponseInfo;

  constructor(path: string, position: number, response: ResponseInfo) {
    this.path = path;
    this.position = position;
    this.response = response;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BeatDetail, void, undefined> {
    const [{ createReadStream }, { createGunzip }, { pipeline }] = await Promise.all([
      import("node:fs"),
      import("node:zlib"),
      import("node:stream/promises"),
    ]);
    const text = createGunzip().setEncoding("utf8");
    // The loop below gets its failure, too.
    pipeline(createReadStream(this.path), text).catch(() => {});
    let rest = "";
    for await (const chunk of text) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line) as BeatDetail;
    }
  }
}

/** Takes an export over several attempts. */
class ExportDownload implements Download {
  position = Number.NaN;
  readonly #file: TargetFile;
  #etag: string | null = null;

  constructor(file: TargetFile) {
    this.#file = file;
  }

  /** The rest, if the service still has the same export. From the last byte that came: a range may not be empty. */
  headers(): Record<string, string> {
    const { bytes } = this.#file;
    return bytes === 0 || this.#etag === null ? {} : { range: `bytes=${bytes - 1}-`, "if-range": this.#etag };
  }

  receive({ status, header }: WireHead): ((chunk: Uint8Array) => Promise<void>) | undefined {
    if (status !== 200 && status !== 206) return undefined;
    const position = header("x-change-position");
    if (position === null) throw new APIConnectionError("The response is no export: it has no X-Change-Position.");
    this.position = Number(position);
    this.#etag = header("etag");
    return this.#file.writeFrom(status === 206 ? this.#file.bytes - 1 : 0);
  }

  hasAdvanced(): boolean {
    return this.#file.hasAdvanced();
  }
}
