import type { DetailedError, Upload as TusUpload } from "tus-js-client";
import { checkConnection, connected } from "../../../api/connection.ts";
import { loadChunk, MissingChunk } from "../../../api/load-chunk.ts";
import { locale, t } from "../../../api/locale.ts";
import type { Upload } from "../studio-queries.ts";

export type FileKind = Upload["kind"];

/** A file that this page sends, or has sent since it was opened. */
export interface SentFile {
  /** The key of the file in this page. The upload's id is known only after the server's response. */
  key: string;
  /** Whose it is. */
  userId: number;
  file: File;
  kind: FileKind;
  /** The upload's id; null before the server has answered. */
  id: string | null;
  /** Bytes that have left. */
  sent: number;
  /**
   * `queued`: others go first. `waiting`: the connection is lost; continues by itself. `failed`: with a `problem`;
   * continues when it is asked to.
   */
  state: "queued" | "sending" | "waiting" | "paused" | "failed" | "sent";
  /** When all of it was sent. */
  sentAtMs: number | null;
  problem: string | null;
}

const endpoint = "/portal/api/uploads";
/** Fewer than the connections of a browser to one server, so that the page stays usable in the meantime. */
const maxAtOnce = 3;
/** Waits between tries; they begin again whenever bytes arrive. */
const retryDelaysMs = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

/**
 * Sends files by tus, a few at once, and continues after a lost connection; a file that is chosen again continues where
 * it broke off, also after the page was closed. Outlives the pages that show it.
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
    const queued = { id: null, sent: 0, state: "queued", sentAtMs: null, problem: null } as const;
    this.#set([...this.#files, { key, userId, file, kind, ...queued }]);
    this.#startNext();
    return key;
  }

  pause(key: string): void {
    void this.#uploads.get(key)?.abort();
    this.#change(key, { state: "paused" });
    this.#startNext();
  }

  /** Goes on with one that is paused, waits or has failed. */
  resume(key: string): void {
    this.#change(key, { state: "queued", problem: null });
    this.#startNext();
  }

  /** Ends one, and has the server forget what came of it. */
  async cancel(key: string): Promise<void> {
    const upload = this.#uploads.get(key);
    this.forget(key);
    // The server deletes an upload that nobody continues.
    await upload?.abort(true).catch(() => {});
  }

  /** Leaves out one that is sent: the server lists it from now on. */
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
    const begun = this.#uploads.get(key);
    if (begun !== undefined) return begun.start();
    const { Upload } = await loadChunk(() => import("tus-js-client"));
    const upload: TusUpload = new Upload(file, {
      endpoint,
      metadata: { kind, filename: file.name },
      retryDelays: retryDelaysMs,
      onShouldRetry: isTransient,
      removeFingerprintOnSuccess: true,
      // A file that is used as two kinds is two uploads.
      fingerprint: async () => ["beatmarket", kind, file.name, file.size, file.lastModified].join("-"),
      onUploadUrlAvailable: () => this.#change(key, { id: upload.url?.split("/").at(-1) ?? null }),
      onProgress: (sent) => this.#change(key, { sent }),
      onSuccess: () => {
        this.#change(key, { state: "sent", sent: file.size, sentAtMs: Date.now() });
        this.#startNext();
      },
      onError: (error) => this.#fail(key, error),
    });
    this.#uploads.set(key, upload);
    const previous = (await upload.findPreviousUploads()).at(-1);
    if (previous !== undefined) upload.resumeFromPreviousUpload(previous);
    // Paused or ended in the meantime.
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

/** Also 409 for an offset that is out of date, but not for an account that has too many uploads. */
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

/** What the server says against a file; null where it has said nothing, since the connection is lost. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof MissingChunk) return t("studio.thePortalHasBeenUpdated");
  const response = (error as { originalResponse?: { getStatus(): number; getBody(): string } | null }).originalResponse;
  if (response === null || response === undefined) return null;
  if (response.getStatus() === 401) return t("studio.yourSessionHasEndedSign");
  try {
    const { details } = (JSON.parse(response.getBody()) as { error: { details: string } }).error;
    return details;
  } catch {
    return t("studio.theServerAnsweredTryAgain", { status: response.getStatus() });
  }
}

/** A share in whole percent, 100 only for all of it. */
export const percentOf = (part: number, whole: number): number =>
  part >= whole ? 100 : Math.min(99, Math.floor((part / whole) * 100));

const decimals = (value: number, digits: number): string =>
  locale.number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });

/** A number of bytes as people read it: "3.5 MB". */
export function bytesInWords(bytes: number): string {
  if (bytes >= 1_000_000_000) return `${decimals(bytes / 1_000_000_000, 2)} GB`;
  return bytes >= 1_000_000 ? `${decimals(bytes / 1_000_000, 1)} MB` : `${Math.max(1, Math.round(bytes / 1_000))} kB`;
}

const kinds: [FileKind, RegExp][] = [
  ["cover", /\.(png|jpe?g|webp)$/i],
  ["stems", /\.zip$/i],
];

/** What a dropped file is, by its name; the server looks at its bytes. */
export const kindOf = ({ name }: Pick<File, "name">): FileKind =>
  kinds.find(([, names]) => names.test(name))?.[0] ?? "audio";
