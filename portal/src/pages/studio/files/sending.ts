import type { DetailedError, Upload as TusUpload } from "tus-js-client";
import { checkConnection, connected } from "../../../api/connection.ts";
import { loadChunk, MissingChunk } from "../../../api/load-chunk.ts";
import { locale, t } from "../../../api/locale.ts";
import type { Upload } from "../studio-queries.ts";

export type FileKind = Upload["kind"];

/** A file that this document is sending or has sent. */
export interface SentFile {
  /** The key of the file in this page. The upload's id is known only after the server's response. */
  key: string;
  /** The account that sends the file. */
  userId: number;
  file: File;
  kind: FileKind;
  /** The upload's id; null before the server has answered. */
  id: string | null;
  /** The number of sent bytes. */
  sentBytes: number;
  /**
   * `queued`: waits for other files. `waiting`: the connection is lost, and sending resumes automatically. `failed`:
   * has a `problem`, and the user can resume.
   */
  state: "queued" | "sending" | "waiting" | "paused" | "failed" | "sent";
  /** The time at which the whole file was sent. */
  sentAtMs: number | null;
  problem: string | null;
}

const endpoint = "/portal/api/uploads";
/** The number of files that are sent at once. The browser has more connections per server, so the page stays usable. */
const maxAtOnce = 3;
/** The delays between retries. Progress resets them. */
const retryDelaysMs = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

/**
 * Sends files by tus, a few at a time. Resumes after a lost connection. A file that is chosen again resumes where it
 * stopped, even after the tab was closed. The object survives page changes.
 */
export class Sending {
  #files: readonly SentFile[] = [];
  readonly #uploads = new Map<string, TusUpload>();
  readonly #listeners = new Set<() => void>();
  #lastKey = 0;

  constructor() {
    addEventListener("beforeunload", (event) => {
      if (this.#files.some(({ state }) => state === "sending" || state === "queued")) event.preventDefault();
    });
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly snapshot = (): readonly SentFile[] => this.#files;

  /** Queues a file. Returns its key. */
  add(userId: number, file: File, kind: FileKind): string {
    const key = String(++this.#lastKey);
    const queued = { id: null, sentBytes: 0, state: "queued", sentAtMs: null, problem: null } as const;
    this.#set([...this.#files, { key, userId, file, kind, ...queued }]);
    this.#startNext();
    return key;
  }

  pause(key: string): void {
    void this.#uploads.get(key)?.abort();
    this.#change(key, { state: "paused" });
    this.#startNext();
  }

  /** Resumes a file that is paused, waiting or failed. */
  resume(key: string): void {
    this.#change(key, { state: "queued", problem: null });
    this.#startNext();
  }

  /** Stops sending a file, and deletes the upload on the server. */
  async cancel(key: string): Promise<void> {
    const upload = this.#uploads.get(key);
    this.forget(key);
    // Ignore a failed deletion: the server deletes abandoned uploads.
    await upload?.abort(true).catch(() => {});
  }

  /** Removes a file from this list. Does not delete the upload on the server. */
  forget(key: string): void {
    this.#uploads.delete(key);
    this.#set(this.#files.filter((file) => file.key !== key));
    this.#startNext();
  }

  #startNext(): void {
    const next = this.#files.find(({ state }) => state === "queued");
    if (next === undefined || this.#files.filter(({ state }) => state === "sending").length >= maxAtOnce) return;
    this.#change(next.key, { state: "sending" });
    void this.#start(next).catch((error) => this.#fail(next.key, error));
    this.#startNext();
  }

  async #start({ key, file, kind }: SentFile): Promise<void> {
    const startedUpload = this.#uploads.get(key);
    if (startedUpload !== undefined) return startedUpload.start();
    const { Upload } = await loadChunk(() => import("tus-js-client"));
    const upload: TusUpload = new Upload(file, {
      endpoint,
      metadata: { kind, filename: file.name },
      retryDelays: retryDelaysMs,
      onShouldRetry: isTransient,
      removeFingerprintOnSuccess: true,
      // The fingerprint contains the kind, because a file used as two kinds needs two uploads.
      fingerprint: async () => ["beatmarket", kind, file.name, file.size, file.lastModified].join("-"),
      onUploadUrlAvailable: () => this.#change(key, { id: upload.url?.split("/").at(-1) ?? null }),
      onProgress: (sentBytes) => this.#change(key, { sentBytes }),
      onSuccess: () => {
        this.#change(key, { state: "sent", sentBytes: file.size, sentAtMs: Date.now() });
        this.#startNext();
      },
      onError: (error) => this.#fail(key, error),
    });
    this.#uploads.set(key, upload);
    const previous = (await upload.findPreviousUploads()).at(-1);
    if (previous !== undefined) upload.resumeFromPreviousUpload(previous);
    // The user may have paused or cancelled the file while the code above waited.
    if (this.#files.find((file) => file.key === key)?.state === "sending") upload.start();
  }

  #fail(key: string, error: unknown): void {
    const problem = refusalOf(error);
    this.#change(key, problem === null ? { state: "waiting" } : { state: "failed", problem });
    if (problem === null) void this.#resumeOnceConnected(key);
    this.#startNext();
  }

  async #resumeOnceConnected(key: string): Promise<void> {
    await checkConnection();
    await connected();
    if (this.#files.find((file) => file.key === key)?.state === "waiting") this.resume(key);
  }

  #change(key: string, change: Partial<SentFile>): void {
    this.#set(this.#files.map((file) => (file.key === key ? { ...file, ...change } : file)));
  }

  #set(files: readonly SentFile[]): void {
    this.#files = files;
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Whether tus retries after an error. A 409 for a wrong offset is transient; a 409 for too many uploads (POST) is not.
 */
function isTransient({ originalRequest, originalResponse }: DetailedError): boolean {
  if (!navigator.onLine) return false;
  const status = originalResponse?.getStatus() ?? 0;
  return (
    status < 400 ||
    status >= 500 ||
    [423, 429].includes(status) ||
    (status === 409 && originalRequest.getMethod() !== "POST")
  );
}

/** Why a file was not sent, as a message; null without a response, because then the connection is lost. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof MissingChunk) return t("studio.thePortalHasBeenUpdated");
  const response = (error as { originalResponse?: { getStatus(): number; getBody(): string } | null }).originalResponse;
  if (response === null || response === undefined) return null;
  if (response.getStatus() === 401) return t("studio.sessionEnded");
  try {
    const { details } = (JSON.parse(response.getBody()) as { error: { details: string } }).error;
    return details;
  } catch {
    return t("studio.uploadServerError", { status: response.getStatus() });
  }
}

/** A share in whole percent. 100 means the whole. */
export const percentOf = (part: number, total: number): number =>
  part >= total ? 100 : Math.min(99, Math.floor((part / total) * 100));

const decimals = (value: number, digits: number): string =>
  locale.number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });

/** A number of bytes as a text: "3.5 MB". */
export function bytesInWords(bytes: number): string {
  if (bytes >= 1_000_000_000) return `${decimals(bytes / 1_000_000_000, 2)} GB`;
  return bytes >= 1_000_000 ? `${decimals(bytes / 1_000_000, 1)} MB` : `${Math.max(1, Math.round(bytes / 1_000))} kB`;
}

const kinds: [FileKind, RegExp][] = [
  ["cover", /\.(png|jpe?g|webp)$/i],
  ["stems", /\.zip$/i],
];

/** The kind of a dropped file by its name. The server checks the content. */
export const kindOf = ({ name }: Pick<File, "name">): FileKind =>
  kinds.find(([, names]) => names.test(name))?.[0] ?? "audio";
