import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { UploadKind } from "../../../src/resources/uploads/upload.ts";
import type { Client, Reply } from "../stage/client.ts";

export interface SentFile {
  kind: UploadKind;
  bytes: Buffer;
}

const tus = { "tus-resumable": "1.0.0" };
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A tus client that sends a file in a few parts, each to any of the servers, and resumes after each failure. */
export class Uploader {
  readonly #clients: readonly Client[];
  readonly replies: Reply[] = [];

  constructor(clients: readonly Client[]) {
    this.#clients = clients;
  }

  /** Begins an upload. Returns its id, or null if a lost response leaves the outcome unknown. */
  async begin({ kind, bytes }: SentFile): Promise<string | null> {
    const headers = {
      ...tus,
      "upload-length": String(bytes.length),
      "upload-metadata": `kind ${base64(kind)},filename ${base64(`file.${kind}`)}`,
    };
    const { headers: answered } = await this.send("POST", "/uploads", headers);
    return typeof answered.location === "string" ? (answered.location.split("/").at(-1) ?? null) : null;
  }

  /** Sends the missing bytes, until all have arrived or the upload is gone. Gives up after `attempts`. */
  async finish(id: string, file: SentFile, attempts: number): Promise<boolean> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const head = await this.send("HEAD", `/uploads/${id}`, tus);
      if (head.status === 404) return false;
      const offset = Number(head.headers["upload-offset"] ?? Number.NaN);
      if (offset === file.bytes.length) return true;
      if (Number.isInteger(offset)) await this.append(id, file, offset);
      else await sleep(200);
    }
    return false;
  }

  /** Sends a part. By default, the part is the whole rest or has a random length. */
  append(id: string, file: SentFile, offset: number, length = this.#lengthOf(file, offset)): Promise<Reply> {
    return this.send(
      "PATCH",
      `/uploads/${id}`,
      { ...tus, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
      file.bytes.subarray(offset, offset + length),
    );
  }

  #lengthOf({ bytes }: SentFile, offset: number): number {
    const remaining = bytes.length - offset;
    return randomInt(3) === 0 ? remaining : Math.min(remaining, 1 + randomInt(100_000));
  }

  /** Sends a request to any of the servers. */
  async send(
    method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE",
    path: string,
    headers: Record<string, string> = {},
    body: Buffer | string | null = null,
  ): Promise<Reply> {
    const client = this.#clients[randomInt(this.#clients.length)] as Client;
    const reply = await client.send({ method, path: `/v1${path}`, headers, body });
    this.replies.push(reply);
    return reply;
  }

  sendJson(method: "POST" | "PATCH", path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send(method, path, { "content-type": "application/json", ...headers }, JSON.stringify(body));
  }
}
