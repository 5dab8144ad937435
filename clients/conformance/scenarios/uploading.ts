import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Result } from "../runner/driver.ts";
import { errorBody, type Fault, type ProxiedRequest, responding } from "../runner/fault-proxy.ts";
import { fileOf, waveFile } from "../runner/files.ts";
import { Actor, type Bed, expectFailure, expectSuccess, receivedData, type Scenario } from "./scenario.ts";

const partBytes = 100_000;
const partType = "application/offset+octet-stream";
const sha256 = (bytes: Uint8Array, encoding: "hex" | "base64"): string =>
  createHash("sha256").update(bytes).digest(encoding);

/** A recording of 264,644 bytes, which has three parts. Each `seed` makes a different one. */
const recording = (seed: number): Buffer => waveFile(6, seed);

/** The facts that the protocol states in each request of an upload: method, offset and number of bytes. */
const steps = ({ proxy }: Bed): [string, number | null, number][] =>
  proxy.requests
    .filter(({ headers }) => headers["tus-resumable"] !== undefined)
    .map(({ method, headers, bytes }) => [
      method,
      headers["upload-offset"] === undefined ? null : Number(headers["upload-offset"]),
      bytes.length,
    ]);

const isPart = ({ method }: ProxiedRequest): boolean => method === "PATCH";

/** A plan with a fault for the n-th part, counted from 0. */
function atPart(number: number, fault: Fault): (request: ProxiedRequest) => Fault | undefined {
  let parts = -1;
  return (request) => {
    if (isPart(request)) parts += 1;
    return isPart(request) && parts === number ? fault : undefined;
  };
}

/** Waits for the upload and asserts that the service has exactly this file. */
async function expectStored(actor: Actor, upload: Result, file: Buffer): Promise<void> {
  const { value } = expectSuccess(await actor.do("wait", { upload_id: upload.id }));
  assert.deepEqual([value.status, value.sha256], ["ready", sha256(file, "hex")]);
}

/** The header Upload-Metadata as an object. */
const metadataOf = ({ headers }: ProxiedRequest): Record<string, string> =>
  Object.fromEntries(
    String(headers["upload-metadata"])
      .split(",")
      .map((pair) => pair.trim().split(" "))
      .map(([name = "", value = ""]) => [name, Buffer.from(value, "base64").toString()]),
  );

export const uploading: Scenario[] = [
  {
    name: "32 an upload of one part",
    run: async (bed) => {
      const actor = new Actor(bed, "32");
      const file = recording(32);
      const path = await fileOf(bed.folder, "Größe 🎵.wav", file);
      bed.proxy.begin();
      const { value, progress } = expectSuccess(await actor.do("upload", { path, kind: "audio" }));
      assert.deepEqual(steps(bed), [["POST", null, file.length]]);
      const [request] = bed.proxy.requests as [ProxiedRequest];
      assert.equal(request.url, "/v1/uploads");
      assert.ok(request.bytes.equals(file), "other bytes were sent");
      assert.deepEqual(metadataOf(request), { kind: "audio", filename: "Größe 🎵.wav" });
      assert.deepEqual(
        [request.headers["content-type"], request.headers["upload-length"], request.headers["upload-checksum"]],
        [partType, String(file.length), `sha256 ${sha256(file, "base64")}`],
      );
      assert.deepEqual([value.kind, value.filename, value.bytes], ["audio", "Größe 🎵.wav", file.length]);
      assert.notEqual(value.status, "receiving");
      assert.deepEqual(progress, [{ upload_id: value.id, sent: file.length, bytes: file.length }]);
      await expectStored(actor, value, file);
      bed.proxy.begin();
      const uploadList = expectSuccess(
        await actor.do("call", {
          operation: "listUploads",
          arguments: { limit: 1 },
          read: ["storage.used_bytes", "storage.max_bytes"],
        }),
      );
      const { uploads, ...otherMembers } = receivedData(bed);
      assert.deepEqual(uploadList.value, { items: uploads, ...otherMembers });
      assert.deepEqual(uploadList.value.items[0].id, value.id);
      assert.ok(otherMembers.storage.used_bytes >= file.length);
      assert.deepEqual(uploadList.read, {
        "storage.used_bytes": otherMembers.storage.used_bytes,
        "storage.max_bytes": otherMembers.storage.max_bytes,
      });
      const { read } = expectSuccess(
        await actor.do("call", {
          operation: "getUpload",
          arguments: { upload_id: value.id },
          read: ["analysis.duration", "analysis.format", "rejection"],
        }),
      );
      assert.deepEqual(read, { "analysis.duration": 6, "analysis.format": "wav", rejection: null });
    },
  },
  {
    name: "33 an upload of three parts",
    run: async (bed) => {
      const actor = new Actor(bed, "33");
      const file = recording(33);
      const path = await fileOf(bed.folder, "three.wav", file);
      bed.proxy.begin();
      const args = { path, kind: "audio", part_bytes: partBytes };
      const { value, progress } = expectSuccess(await actor.do("upload", args));
      const lastPartBytes = file.length - 2 * partBytes;
      assert.deepEqual(steps(bed), [
        ["POST", null, 0],
        ["PATCH", 0, partBytes],
        ["PATCH", partBytes, partBytes],
        ["PATCH", 2 * partBytes, lastPartBytes],
      ]);
      const parts = bed.proxy.requests.filter(isPart);
      assert.ok(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(file), "other bytes were sent");
      for (const { headers, bytes, url } of parts) {
        assert.equal(url, `/v1/uploads/${value.id}`);
        assert.equal(headers["content-type"], partType);
        assert.equal(headers["upload-checksum"], `sha256 ${sha256(bytes, "base64")}`);
      }
      assert.deepEqual(
        progress,
        [0, partBytes, 2 * partBytes, file.length].map((sentBytes) => ({
          upload_id: value.id,
          sent: sentBytes,
          bytes: file.length,
        })),
      );
      await expectStored(actor, value, file);
    },
  },
  {
    name: "34 a connection cut in a part, and a part whose response is lost",
    run: async (bed) => {
      const actor = new Actor(bed, "34");
      const lastPartBytes = recording(34).length - 2 * partBytes;
      for (const [seed, fault, resumedAt] of [
        [34, { kind: "cut", afterBytes: 70_000 }, partBytes],
        [35, { kind: "lose" }, 2 * partBytes],
      ] as const) {
        const file = recording(seed);
        const path = await fileOf(bed.folder, `${fault.kind}.wav`, file);
        bed.proxy.begin(atPart(1, fault));
        const args = { path, kind: "audio", part_bytes: partBytes };
        const { value, progress } = expectSuccess(await actor.do("upload", args));
        assert.deepEqual(steps(bed), [
          ["POST", null, 0],
          ["PATCH", 0, partBytes],
          ["PATCH", partBytes, partBytes],
          ["HEAD", null, 0],
          ...(resumedAt === partBytes ? [["PATCH", partBytes, partBytes]] : []),
          ["PATCH", 2 * partBytes, lastPartBytes],
        ]);
        assert.equal(progress.at(-1).sent, file.length);
        await expectStored(actor, value, file);
      }
    },
  },
  {
    name: "35 an upload that fails in a part, and is resumed by another client",
    run: async (bed) => {
      const actor = new Actor(bed, "35");
      const file = recording(36);
      const path = await fileOf(bed.folder, "resumed.wav", file);
      const args = { path, kind: "audio", part_bytes: partBytes };
      bed.proxy.begin(atPart(1, { kind: "drop" }));
      const failedUpload = await actor.do("upload", args, { max_retries: 0 });
      expectFailure(failedUpload, "APIConnectionError");
      const { upload_id, sent } = failedUpload.progress.at(-1);
      assert.equal(sent, partBytes);

      const other = await fileOf(bed.folder, "other.wav", file.subarray(1));
      bed.proxy.begin();
      expectFailure(await actor.do("upload", { path: other, upload_id, part_bytes: partBytes }), "BeatMarketError");
      assert.deepEqual(steps(bed), [["HEAD", null, 0]]);

      bed.proxy.begin();
      const { value, progress } = expectSuccess(await actor.do("upload", { path, upload_id, part_bytes: partBytes }));
      assert.deepEqual(steps(bed), [
        ["HEAD", null, 0],
        ["PATCH", partBytes, partBytes],
        ["PATCH", 2 * partBytes, file.length - 2 * partBytes],
      ]);
      assert.deepEqual(
        progress.map(({ sent }: { sent: number }) => sent),
        [partBytes, 2 * partBytes, file.length],
      );
      assert.equal(value.id, upload_id);
      await expectStored(actor, value, file);
      // No bytes remain to be sent.
      bed.proxy.begin();
      assert.equal(expectSuccess(await actor.do("upload", { path, upload_id })).value.id, upload_id);
      assert.deepEqual(steps(bed), [["HEAD", null, 0]]);
    },
  },
  {
    name: "36 a file that is not audio",
    run: async (bed) => {
      const actor = new Actor(bed, "36");
      const path = await fileOf(bed.folder, "words.wav", Buffer.from("These are words. ".repeat(1_000)));
      const { value: upload } = expectSuccess(await actor.do("upload", { path, kind: "audio" }));
      const uploadArguments = { upload_id: upload.id };
      const error = expectFailure(await actor.do("wait", uploadArguments), "UploadRejectedError");
      const { value } = expectSuccess(await actor.call("getUpload", uploadArguments));
      assert.equal(value.status, "rejected");
      assert.match(value.rejection, /\S.*\.$/);
      assert.deepEqual([error.message, error.upload], [value.rejection, value]);
      assert.equal(expectFailure(await actor.call("retryUpload", uploadArguments), "InvalidRequestError").status, 409);
      assert.equal(expectSuccess(await actor.call("deleteUpload", uploadArguments)).value, null);
      expectFailure(await actor.call("getUpload", uploadArguments), "NotFoundError");
      expectFailure(await actor.do("upload", { path, ...uploadArguments }), "NotFoundError");
      const missingFile = await actor.do("upload", { path: `${path}.absent`, kind: "audio" });
      expectFailure(missingFile, "BeatMarketError");
    },
  },
  {
    name: "37 a locked upload, a damaged part, and a full storage",
    run: async (bed) => {
      const actor = new Actor(bed, "37");
      const file = recording(37);
      const path = await fileOf(bed.folder, "locked.wav", file);
      const args = { path, kind: "audio", part_bytes: partBytes };
      for (const fault of [
        responding(423, errorBody("invalid_request", "Locked"), { "retry-after": "1" }),
        responding(460, errorBody("invalid_request", "Checksum mismatch")),
      ]) {
        bed.proxy.begin(atPart(1, fault));
        const { value } = expectSuccess(await actor.do("upload", args));
        assert.equal(steps(bed).filter(([method]) => method === "HEAD").length, 1);
        assert.equal(value.received, file.length);
        expectSuccess(await actor.call("deleteUpload", { upload_id: value.id }));
      }
      bed.proxy.begin((request) => (isPart(request) ? responding(507, errorBody("server_error", "Full")) : undefined));
      assert.equal(expectFailure(await actor.do("upload", args), "ServerError").status, 507);
      assert.equal(bed.proxy.requests.filter(isPart).length, 1);
    },
  },
];
