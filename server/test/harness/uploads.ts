import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { listen } from "@beatmarket/http/transport/server.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { expect } from "vitest";
import { type TestApiOptions, testApi } from "./api.ts";
import { undocumentedHeaders } from "./documents/promised-responses.ts";

const operationIds: Readonly<Record<string, string>> = {
  POST: "createUpload",
  HEAD: "getUploadOffset",
  PATCH: "appendToUpload",
  DELETE: "deleteUpload",
};

/** The API with a separate data folder. It listens on a port, because tests send bodies in pieces. */
export async function uploadApi(options: TestApiOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-uploads-"));
  afterTestFile(() => rm(dataDir, { recursive: true, force: true }));
  const storage = options.storage ?? new FolderStorage(join(dataDir, "objects"));
  const api = await testApi({ ...options, dataDir, storage });
  // The background jobs do not run, because they would analyse the uploads.
  await listen(api.app.server, { port: 0, host: "127.0.0.1" });
  const { port } = api.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  /** Sends a tus request, by default with the key of the tests. */
  const tus = async (
    method: string,
    path: string,
    headers: Record<string, string | null> = {},
    body?: Uint8Array,
  ): Promise<Response> => {
    const allHeaders = { authorization: `Bearer ${api.key}`, "tus-resumable": "1.0.0", ...headers };
    const sentHeaders = Object.entries(allHeaders).filter((entry): entry is [string, string] => entry[1] !== null);
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: Object.fromEntries(sentHeaders),
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
    });
    const operationId = !("x-http-method-override" in allHeaders) ? operationIds[method] : undefined;
    if (operationId !== undefined) {
      const headers = Object.fromEntries(response.headers);
      expect(undocumentedHeaders(operationId, { statusCode: response.status, headers }), operationId).toEqual([]);
    }
    return response;
  };

  /** Begins an upload. Returns its path. */
  const create = async (
    bytes: number,
    options: { kind?: string; filename?: string; key?: string } = {},
  ): Promise<string> => {
    const response = await tus("POST", "/v1/uploads", {
      "upload-length": String(bytes),
      "upload-metadata": metadata(options.kind ?? "audio", options.filename ?? "beat.wav"),
      ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
    });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    return new URL(response.headers.get("location") ?? "").pathname;
  };

  const append = (path: string, offset: number, body: Uint8Array, headers: Record<string, string | null> = {}) =>
    tus("PATCH", path, { ...partHeaders(offset), ...headers }, body);

  const offsetOf = async (path: string): Promise<number> =>
    Number((await tus("HEAD", path)).headers.get("upload-offset"));

  /** Sends the head and the first bytes of a part, and leaves the connection open. */
  const beginPart = async (
    path: string,
    offset: number,
    bytes: number,
    first: Uint8Array,
    options: Record<string, string> = {},
  ): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const headers = {
      host: "x",
      authorization: `Bearer ${api.key}`,
      "tus-resumable": "1.0.0",
      "content-length": String(bytes),
    };
    const lines = Object.entries({ ...headers, ...partHeaders(offset), ...options }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    socket.write(first);
    return socket;
  };

  const objects = new StoredObjects(api.database.query, storage);
  /** The bytes of an upload that have arrived and are stored. */
  const arrivedOf = async (path: string): Promise<Buffer> => {
    const parts = api.database.query
      .selectFrom("upload_parts")
      .select("sha256")
      .where("upload_id", "=", basename(path));
    const contents = [];
    for (const { sha256 } of await parts.orderBy("first_byte").execute())
      contents.push(await buffer(await objects.open(sha256)));
    return Buffer.concat(contents);
  };

  /** Resolves when the server is writing a part. */
  const untilWriting = () =>
    eventually(async () => expect(await readdir(join(dataDir, "uploads"))).not.toEqual([]), { intervalMs: 5 });

  return { api, dataDir, objects, tus, create, append, offsetOf, beginPart, arrivedOf, untilWriting };
}

/** The Upload-Metadata header of a file. */
export const metadata = (kind: string, filename: string): string =>
  `kind ${Buffer.from(kind).toString("base64")},filename ${Buffer.from(filename).toString("base64")}`;

export const partType = "application/offset+octet-stream";

const partHeaders = (offset: number) => ({ "upload-offset": String(offset), "content-type": partType });
