import type { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { DataStore, Server, type ServerOptions, Upload as TusUpload } from "@tus/server";
import type { ResumableUpload } from "./upload-store.ts";

/** The actions that @tus/server calls for one request. They reject with an `ApiError`. */
export interface TusActions {
  newId(): string;
  create(id: string, bytes: number, metadata: Readonly<Record<string, string | null>>): Promise<void>;
  find(id: string): Promise<Pick<ResumableUpload, "bytes" | "received"> & { metadata: Record<string, string> }>;
  /** Appends a body to the upload. Returns the new offset. */
  write(id: string, body: Readable): Promise<number>;
  /** The lock is held during the other actions. */
  lock(id: string): Promise<void>;
  unlock(): Promise<void>;
}

export interface TusRequest {
  method: string;
  headers: Headers;
  /** Called when the body is read; never called if the headers are refused. Null without a body. */
  openBody: (() => Readable) | null;
  /** The id in the path; null for the path of all uploads. */
  id: string | null;
  urlOf(id: string): string;
}

export interface TusResponse {
  status: number;
  headers: Headers;
  /** The error that an action threw, or @tus/server's `{status_code, body}`; null for a success. */
  failure: unknown;
}

/**
 * Passes one request through @tus/server, which implements the protocol: headers, statuses, and the order of actions.
 */
export async function respondByTus(request: TusRequest, actions: TusActions): Promise<TusResponse> {
  let failure: unknown = null;
  const server = new Server({
    // Not used: `generateUrl` and `getFileIdFromRequest` handle the whole URL.
    path: "/uploads",
    datastore: new ActionsDataStore(actions),
    locker: { newLock: (id) => ({ lock: () => actions.lock(id), unlock: () => actions.unlock() }) },
    namingFunction: () => actions.newId(),
    generateUrl: (_, { id }) => request.urlOf(id),
    getFileIdFromRequest: () => request.id ?? undefined,
    onResponseError: (_, error) => {
      failure = error;
      return undefined;
    },
  } satisfies ServerOptions & { datastore: DataStore });
  const { method, headers, openBody } = request;
  const response = await server.handleWeb(
    new Request("https://tus.invalid/uploads", {
      method,
      headers,
      ...(openBody !== null && { body: ReadableStream.from(openLazily(openBody)), duplex: "half" }),
    } as RequestInit) as Parameters<Server["handleWeb"]>[0],
  );
  // @tus/server throws no error for a request that it refuses because of its headers.
  if (response.status >= 400) failure ??= { status_code: response.status, body: await response.text() };
  return { status: response.status, headers: response.headers, failure };
}

async function* openLazily(open: () => Readable): AsyncGenerator<Uint8Array> {
  yield* open();
}

/** Adapts the actions to the interface of @tus/server. */
class ActionsDataStore extends DataStore {
  readonly #actions: TusActions;

  constructor(actions: TusActions) {
    super();
    this.#actions = actions;
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    await this.#actions.create(upload.id, upload.size ?? 0, upload.metadata ?? {});
    return upload;
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const { bytes, received, metadata } = await this.#actions.find(id);
    return new TusUpload({ id, size: bytes, offset: received, metadata });
  }

  override write(body: Readable, id: string): Promise<number> {
    return this.#actions.write(id, body);
  }
}
