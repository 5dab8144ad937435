import { member } from "./envelope.ts";
import { BeatMarketError } from "./errors.ts";
import type { List } from "./list.ts";
import type { ListOrdersQuery, NewOrder, Order, OrderFile, OrderFileKind, OrderFiles } from "./models.ts";
import { type DownloadedFile, type DownloadOptions, downloadFile } from "./order-download.ts";
import { type CreateOptions, created, list, one, segment } from "./resources.ts";
import { APIPromise } from "./response.ts";
import { transferRetries } from "./retry.ts";
import { safeFilename } from "./safe-filename.ts";
import type { CallOptions, Sender } from "./sender.ts";

/** The purchases of the key's account. */
export class Orders {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Lists orders, newest first: `await` returns one page, `for await` iterates over all. */
  list(query: ListOrdersQuery = {}, options: CallOptions = {}): List<Order> {
    return list(this.#sender, "/orders", "orders", query, options);
  }

  /** Gets an order. Rejects with a NotFoundError if the account has none with this id. */
  get(orderId: number | string, options: CallOptions = {}): APIPromise<Order> {
    return one(this.#sender, { path: `/orders/${segment("order", orderId)}` }, "order", options);
  }

  /**
   * Buys a license. A declined payment returns an order with the status `failed` and its `failure_reason`. The
   * `idempotencyKey` makes retries safe: the order is placed once.
   */
  create(order: NewOrder, options: CreateOptions = {}): APIPromise<Order> {
    return one(this.#sender, { method: "POST", path: "/orders", body: order, ...created(options) }, "order", options);
  }

  /**
   * What a completed order brings: its files, under links that live for 15 minutes, and its license. Files that are still
   * being made are waited for. Rejects with an InvalidRequestError (409) if the order is not completed.
   */
  files(orderId: number | string, options: CallOptions = {}): APIPromise<OrderFiles> {
    const url = this.#sender.url(`/orders/${segment("order", orderId)}/files`);
    return new APIPromise(
      this.#sender.send({ method: "GET", url, options }).then((parsed) => ({
        data: { files: member(parsed, "files", "array"), license: member(parsed, "license", "object") },
        response: parsed.response,
      })),
    );
  }

  /**
   * Downloads a file of an order to a path, which has it complete or not at all: until then it is `<destination>.part`, which
   * a later call goes on with. Goes on where a connection breaks, asks for a new link when the old one expires, and rejects
   * with a ChecksumError if the file has other bytes than the service lists. `timeoutMs` is how long it waits for the next
   * bytes. A file that is there already is not downloaded again. On Node, Deno and Bun.
   */
  async download(
    orderId: number | string,
    kind: OrderFileKind,
    destination: string,
    options: DownloadOptions = {},
  ): Promise<DownloadedFile> {
    const { files } = await this.#listing(orderId, options);
    return this.#download(orderId, fileOf(files, kind, orderId), destination, options);
  }

  /**
   * Downloads all files of an order into a folder, which it makes if there is none, one after the other as `download` does.
   * Their names are those of the service, without what could lead out of the folder.
   */
  async downloadAll(
    orderId: number | string,
    folder: string,
    options: DownloadOptions = {},
  ): Promise<DownloadedFile[]> {
    const { files } = await this.#listing(orderId, options);
    if (files.length === 0) throw withoutFiles(orderId);
    const [{ mkdir }, { join }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
    await mkdir(folder, { recursive: true }).catch((cause) => {
      throw new BeatMarketError(`The folder ${folder} cannot be made.`, { cause });
    });
    const taken = new Set<string>();
    const downloaded: DownloadedFile[] = [];
    for (const file of files) {
      const name = safeFilename(file.filename, file.kind, taken);
      taken.add(name.toLowerCase());
      downloaded.push(await this.#download(orderId, file, join(folder, name), options));
    }
    return downloaded;
  }

  /** Files that are being made are waited for as long as a download may fail. */
  #listing(orderId: number | string, { maxRetries, timeoutMs, signal }: DownloadOptions): Promise<OrderFiles> {
    const retries = transferRetries(maxRetries ?? this.#sender.maxRetries);
    return this.files(orderId, { timeoutMs, signal, maxRetries: retries });
  }

  #download(
    orderId: number | string,
    file: OrderFile,
    destination: string,
    options: DownloadOptions,
  ): Promise<DownloadedFile> {
    const renew = async () => {
      const { timeoutMs, signal } = options;
      const { files } = await this.files(orderId, { timeoutMs, signal, maxRetries: 0 });
      return fileOf(files, file.kind, orderId);
    };
    return downloadFile({ sender: this.#sender, file, renew, orderId, destination, options });
  }
}

/** Throws a BeatMarketError that says what the order has, if it is not this. */
function fileOf(files: OrderFile[], kind: OrderFileKind, orderId: number | string): OrderFile {
  const file = files.find((its) => its.kind === kind);
  if (file !== undefined) return file;
  if (files.length === 0) throw withoutFiles(orderId);
  throw new BeatMarketError(`The order ${orderId} has no ${kind}; it has ${files.map((its) => its.kind).join(", ")}.`);
}

const withoutFiles = (orderId: number | string): BeatMarketError =>
  new BeatMarketError(`The order ${orderId} has no files: its license is refunded.`);
