import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { attachment } from "@beatmarket/foundation/text/content-disposition.ts";
import type { Files, ListedFile, PlaceSetting } from "./files.ts";
import type { S3Settings } from "./places.ts";
import { md5, s3Client } from "./s3-client.ts";
import { s3Fault } from "./s3-fault.ts";
import { deleteTimeoutMs, type LinkOptions, type ObjectRange } from "./storage.ts";

/**
 * Larger files are uploaded in parts of this size, which bounds memory. A file of 2 GB has 239 parts; S3 allows 10,000.
 */
const partBytes = 8_388_608;
const timeouts = {
  connectionTimeout: 5_000,
  /** Time limit until the response begins. */
  requestTimeout: 60_000,
  throwOnRequestTimeout: true,
  /** Time limit without a byte in either direction. */
  socketTimeout: 60_000,
};

/**
 * Files in a bucket of any S3-compatible server, with the credentials that the AWS SDK reads from the environment.
 * Every request with a body has Content-MD5, the checksum that all S3-compatible servers verify.
 */
export class S3Files implements Files {
  readonly place: string;
  readonly isBucket = true;
  readonly #settings: S3Settings;
  readonly #setting: PlaceSetting;
  readonly #client: S3Client;

  constructor(settings: S3Settings, setting: PlaceSetting) {
    const { bucket, prefix, endpoint } = settings;
    this.#settings = settings;
    this.#setting = setting;
    this.place = `s3://${bucket}/${prefix}${endpoint === undefined ? "" : ` at ${endpoint}`}`;
    this.#client = s3Client(settings, { requestHandler: timeouts, maxAttempts: 3 });
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const parts = partsOf(content);
    const first = await parts.next();
    const start = first.done === true ? Buffer.alloc(0) : first.value;
    const second = await parts.next();
    if (second.done === true) return this.#putBytes(key, start);
    await this.#putInParts(key, start, second.value, parts);
  }

  async get(key: string, range?: ObjectRange): Promise<Readable | null> {
    const command = new GetObjectCommand({
      ...this.#objectOf(key),
      ...(range !== undefined && { Range: `bytes=${range.first}-${range.last}` }),
    });
    return ((await orNull(this.#client.send(command)))?.Body as Readable | undefined) ?? null;
  }

  async head(key: string): Promise<ListedFile | null> {
    const head = await orNull(this.#client.send(new HeadObjectCommand(this.#objectOf(key))));
    return head && { key, bytes: head.ContentLength ?? 0, putAt: head.LastModified ?? new Date(0) };
  }

  async version(key: string): Promise<string | null> {
    const head = await orNull(this.#client.send(new HeadObjectCommand(this.#objectOf(key))));
    return head && `${head.ETag} ${head.LastModified?.getTime()}`;
  }

  async delete(key: string): Promise<void> {
    const abortSignal = AbortSignal.timeout(deleteTimeoutMs);
    await this.#client.send(new DeleteObjectCommand(this.#objectOf(key)), { abortSignal });
  }

  async link(key: string, { expiresAt, filename, contentType }: LinkOptions): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#objectOf(key),
      ResponseContentDisposition: attachment(filename),
      ResponseContentType: contentType,
    });
    const expiresIn = Math.max(1, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
    return getSignedUrl(this.#client, command, { expiresIn });
  }

  async *list(prefix: string): AsyncIterable<ListedFile> {
    const { bucket, prefix: root } = this.#settings;
    const where = { Bucket: bucket, Prefix: `${root}${prefix}` };
    for await (const page of paginateListObjectsV2({ client: this.#client }, where))
      for (const { Key = "", Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
        yield { key: Key.slice(root.length), bytes: Size, putAt: LastModified };
  }

  async deleteDrafts(before: Date, isOurs: (key: string) => boolean): Promise<void> {
    const { bucket, prefix } = this.#settings;
    let page: Partial<ListMultipartUploadsCommandOutput> = {};
    do {
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, KeyMarker, UploadIdMarker });
      page = await this.#client.send(command);
      // Other programs may have their own uploads under the prefix.
      for (const { Key = "", UploadId, Initiated } of page.Uploads ?? [])
        if (isOurs(Key.slice(prefix.length)) && Initiated !== undefined && Initiated < before)
          await orNull(this.#client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })));
    } while (page.IsTruncated === true);
  }

  async check(): Promise<void> {
    const { bucket, prefix } = this.#settings;
    const probe = `probe-${randomUUID()}`;
    try {
      await this.#putBytes(probe, Buffer.from(probe));
      const body = await this.get(probe);
      if (body === null || (await text(body)) !== probe)
        throw new Error("a file that was written has other content when it is read");
      await this.#client.send(new DeleteObjectCommand(this.#objectOf(probe)));
      // Without the permission to list, S3 returns 403 instead of 404.
      await this.#client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }));
    } catch (cause) {
      const purpose = this.#setting === "STORAGE_URL" ? "storage" : "vault";
      throw new OperatorError(
        `The ${purpose} of ${this.#setting}, ${this.place}, cannot be used: ${this.explain(cause)}.`,
        { cause },
      );
    }
  }

  explain(error: unknown): string {
    return s3Fault(error, this.#settings.bucket, this.#setting);
  }

  readonly #objectOf = (key: string) => ({ Bucket: this.#settings.bucket, Key: `${this.#settings.prefix}${key}` });

  async #putBytes(key: string, bytes: Buffer): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#objectOf(key), Body: bytes, ContentMD5: md5(bytes) }));
  }

  async #putInParts(key: string, first: Buffer, second: Buffer, rest: AsyncIterable<Buffer>): Promise<void> {
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#objectOf(key)));
    const upload = { ...this.#objectOf(key), UploadId };
    try {
      const parts: { ETag: string | undefined; PartNumber: number }[] = [];
      const send = async (part: Buffer) => {
        const PartNumber = parts.length + 1;
        const command = new UploadPartCommand({ ...upload, PartNumber, Body: part, ContentMD5: md5(part) });
        parts.push({ ETag: (await this.#client.send(command)).ETag, PartNumber });
      };
      await send(first);
      await send(second);
      for await (const part of rest) await send(part);
      await this.#client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }));
    } catch (error) {
      // If this fails, `deleteDrafts` removes the upload later.
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
      throw error;
    }
  }
}

/** Divides the content into parts of `partBytes`; the last part may be smaller. */
async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of content)
    for (let offset = 0; offset < chunk.length; ) {
      const piece = chunk.subarray(offset, offset + partBytes - pendingBytes);
      pending.push(piece);
      pendingBytes += piece.length;
      offset += piece.length;
      if (pendingBytes < partBytes) continue;
      yield Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
    }
  if (pendingBytes > 0) yield Buffer.concat(pending);
}

async function text(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const isMissing = (error: unknown): boolean => {
  const { name } = error as Error;
  return name === "NoSuchKey" || name === "NotFound" || name === "NoSuchUpload";
};

const orNull = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });
