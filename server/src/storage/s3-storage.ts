import { createHash, randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
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
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { S3Settings } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { attachment } from "../text/content-disposition.ts";
import { s3Fault } from "./s3-fault.ts";
import {
  deleteTimeoutMs,
  identityKey,
  isSha256,
  type LinkOptions,
  ObjectNotFound,
  type ObjectRange,
  objectKey,
  type Storage,
  type StorageUpkeep,
  WrongContent,
} from "./storage.ts";

/** The memory of a put: larger files go in parts of this size. A file of 2 GB has 239 parts; S3 allows 10,000. */
const partBytes = 8_388_608;
const timeouts = {
  connectionTimeout: 5_000,
  /** Until the response begins. */
  requestTimeout: 60_000,
  throwOnRequestTimeout: true,
  /** Without a byte either way. */
  socketTimeout: 60_000,
};

/**
 * Objects in a bucket of any server that speaks S3, with the credentials that the AWS SDK finds. Every request that brings
 * bytes carries their MD5, the checksum that all such servers verify.
 */
export class S3Storage implements Storage, StorageUpkeep {
  readonly place: string;
  readonly #settings: S3Settings;
  readonly #client: S3Client;

  constructor(settings: S3Settings) {
    const { bucket, prefix, endpoint, region, pathStyle } = settings;
    this.#settings = settings;
    this.place = `s3://${bucket}/${prefix}${endpoint === undefined ? "" : ` at ${endpoint}`}`;
    this.#client = new S3Client({
      forcePathStyle: pathStyle,
      ...(endpoint !== undefined && { endpoint }),
      ...(region !== undefined && { region }),
      requestHandler: timeouts,
      maxAttempts: 3,
      // Newer checksums, which other servers than Amazon's refuse.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    });
  }

  async put(file: string, sha256: string, bytes: number): Promise<void> {
    const parts = partsOf(file, sha256, bytes);
    if (bytes > partBytes) return this.#putInParts(this.#key(sha256), parts);
    const contents: Buffer[] = [];
    for await (const part of parts) contents.push(part);
    await this.#putBytes(this.#key(sha256), contents[0] ?? Buffer.alloc(0));
  }

  async get(sha256: string, range?: ObjectRange): Promise<Readable> {
    return this.#read(this.#key(sha256), range).catch((error) => {
      throw isMissing(error) ? new ObjectNotFound(sha256) : error;
    });
  }

  async head(sha256: string): Promise<{ bytes: number } | null> {
    const command = new HeadObjectCommand(this.#at(this.#key(sha256)));
    const found = await orNull(this.#client.send(command));
    return found === null ? null : { bytes: found.ContentLength ?? 0 };
  }

  async delete(sha256: string): Promise<void> {
    const abortSignal = AbortSignal.timeout(deleteTimeoutMs);
    await this.#client.send(new DeleteObjectCommand(this.#at(this.#key(sha256))), { abortSignal });
  }

  async link(sha256: string, { expiresAt, filename, contentType }: LinkOptions): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#at(this.#key(sha256)),
      ResponseContentDisposition: attachment(filename),
      ResponseContentType: contentType,
    });
    const expiresIn = Math.max(1, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
    return getSignedUrl(this.#client, command, { expiresIn });
  }

  async readIdentity(): Promise<string | null> {
    const body = await orNull(this.#read(`${this.#settings.prefix}${identityKey}`));
    return body === null ? null : (await text(body)).trim();
  }

  async writeIdentity(identity: string): Promise<void> {
    await this.#putBytes(`${this.#settings.prefix}${identityKey}`, Buffer.from(`${identity}\n`));
  }

  async check(): Promise<void> {
    const { bucket, prefix } = this.#settings;
    const probe = `${prefix}probe-${randomUUID()}`;
    try {
      await this.#putBytes(probe, Buffer.from(probe));
      if ((await text(await this.#read(probe))) !== probe) throw new Error("what was written reads back otherwise");
      await this.#client.send(new DeleteObjectCommand(this.#at(probe)));
      // Without the right to list, S3 says 403 instead of 404.
      await this.#client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }));
    } catch (cause) {
      throw new OperatorError(`The storage of STORAGE_URL, ${this.place}, cannot be used: ${s3Fault(cause, bucket)}.`, {
        cause,
      });
    }
  }

  async *list(): AsyncIterable<{ sha256: string; bytes: number }> {
    const { bucket, prefix } = this.#settings;
    for await (const page of paginateListObjectsV2({ client: this.#client }, { Bucket: bucket, Prefix: prefix }))
      for (const { Key = "", Size = 0 } of page.Contents ?? []) {
        const sha256 = this.#nameOf(Key);
        if (sha256 !== null) yield { sha256, bytes: Size };
      }
  }

  async deleteDrafts(before: Date): Promise<void> {
    const { bucket, prefix } = this.#settings;
    let page: Partial<ListMultipartUploadsCommandOutput> = {};
    do {
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, KeyMarker, UploadIdMarker });
      page = await this.#client.send(command);
      // Others keep uploads of their own under the prefix.
      for (const { Key = "", UploadId, Initiated } of page.Uploads ?? [])
        if (this.#nameOf(Key) !== null && Initiated !== undefined && Initiated < before)
          await orNull(this.#client.send(new AbortMultipartUploadCommand({ ...this.#at(Key), UploadId })));
    } while (page.IsTruncated === true);
  }

  readonly #key = (sha256: string): string => `${this.#settings.prefix}${objectKey(sha256)}`;

  readonly #at = (key: string) => ({ Bucket: this.#settings.bucket, Key: key });

  /** The object of a key; null for keys of others. */
  #nameOf(key: string): string | null {
    const sha256 = key.slice(key.lastIndexOf("/") + 1);
    return isSha256(sha256) && this.#key(sha256) === key ? sha256 : null;
  }

  async #read(key: string, range?: ObjectRange): Promise<Readable> {
    const { Body } = await this.#client.send(
      new GetObjectCommand({
        ...this.#at(key),
        ...(range !== undefined && { Range: `bytes=${range.first}-${range.last}` }),
      }),
    );
    return Body as Readable;
  }

  async #putBytes(key: string, bytes: Buffer): Promise<void> {
    await this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: bytes, ContentMD5: md5(bytes) }));
  }

  async #putInParts(key: string, parts: AsyncIterable<Buffer>): Promise<void> {
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#at(key)));
    const upload = { ...this.#at(key), UploadId };
    try {
      const done: { ETag: string | undefined; PartNumber: number }[] = [];
      for await (const part of parts) {
        const PartNumber = done.length + 1;
        const command = new UploadPartCommand({ ...upload, PartNumber, Body: part, ContentMD5: md5(part) });
        done.push({ ETag: (await this.#client.send(command)).ETag, PartNumber });
      }
      await this.#client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } }));
    } catch (error) {
      // `deleteDrafts` makes up for one that fails.
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
      throw error;
    }
  }
}

/** A file in parts, of which each is valid until the next one is asked for. Throws before the last one unless its hash and size are these. */
async function* partsOf(file: string, sha256: string, bytes: number): AsyncIterable<Buffer> {
  const hash = createHash("sha256");
  const handle = await open(file);
  try {
    const whole = Buffer.allocUnsafe(Math.min(partBytes, bytes));
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await handle.read(whole, 0, whole.length, at);
      const part = whole.subarray(0, bytesRead);
      hash.update(part);
      at += bytesRead;
      if (bytesRead === 0 || (at === bytes && hash.copy().digest("hex") !== sha256))
        throw new WrongContent(`${file} is not the file of ${bytes} bytes with the hash ${sha256} any more.`);
      yield part;
    }
  } finally {
    await handle.close();
  }
}

const md5 = (bytes: Buffer): string => createHash("md5").update(bytes).digest("base64");

async function text(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const isMissing = (error: unknown): boolean => {
  const { name } = error as Error;
  return name === "NoSuchKey" || name === "NotFound" || name === "NoSuchUpload";
};

const orNull = <T>(asking: Promise<T>): Promise<T | null> =>
  asking.catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });
