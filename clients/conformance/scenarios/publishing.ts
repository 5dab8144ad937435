import assert from "node:assert/strict";
import type { Result } from "../runner/driver.ts";
import { fileOf, waveFile } from "../runner/files.ts";
import { languages } from "../runner/languages.ts";
import { Actor, type Bed, expectFailure, expectSuccess, queryOf, type Scenario } from "./scenario.ts";

/**
 * Uploads a recording, and waits until it is ready. Each language has a different one, because an account cannot
 * publish another account's recording.
 */
export async function uploadRecording(bed: Bed, actor: Actor, seed: number): Promise<string> {
  const languageSeed = seed + 100 * languages.findIndex(({ name }) => name === bed.language);
  const path = await fileOf(bed.folder, `beat-${seed}.wav`, waveFile(6, languageSeed));
  const { value } = expectSuccess(await actor.do("upload", { path, kind: "audio" }));
  expectSuccess(await actor.do("wait", { upload_id: value.id }));
  return value.id;
}

const pollMs = 200;

/** Polls a beat until it has this status. */
export async function withStatus(actor: Actor, beatId: number, status: string): Promise<Result> {
  for (const endMs = performance.now() + 600_000; ; ) {
    const { value } = expectSuccess(await actor.call("getBeat", { beat_id: beatId }));
    if (value.status === status) return value;
    assert.ok(performance.now() < endMs, `the beat stays ${value.status}: ${value.rejection}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

export const publishing: Scenario[] = [
  {
    name: "38 a draft, changed with an old If-Match, and published",
    run: async (bed) => {
      const actor = new Actor(bed, "38");
      const { proxy } = bed;
      const audio = await uploadRecording(bed, actor, 41);
      const fields = { title: `Made with ${bed.language} 😀`, genre: "Ambient", audio, price: 29.9, tags: ["warm"] };
      // The response to the first request is lost, but only one beat is created.
      proxy.begin((_, index) => (index === 0 ? { kind: "lose" } : undefined));
      const { value: draft, meta } = expectSuccess(await actor.call("createBeat", fields));
      for (const { method, url, body } of proxy.requests)
        assert.deepEqual([method, url, JSON.parse(body)], ["POST", "/v1/beats", fields]);
      const keys = proxy.requests.map(({ headers }) => headers["idempotency-key"]);
      assert.ok(keys.length === 2 && keys[0] !== undefined && keys[0] === keys[1]);
      assert.deepEqual([meta.status, draft.status, draft.title], [201, "draft", fields.title]);
      const beatArguments = { beat_id: draft.id };

      const { meta: readMeta } = expectSuccess(await actor.call("getBeat", beatArguments));
      assert.ok(readMeta.etag, "a beat of one's own has no ETag");
      proxy.begin();
      const changedBeat = expectSuccess(
        await actor.call("updateBeat", { ...beatArguments, price: 34.9, description: null, if_match: readMeta.etag }),
      );
      const [request] = proxy.requests;
      assert.deepEqual([request?.method, request?.url], ["PATCH", `/v1/beats/${draft.id}`]);
      assert.equal(request?.headers["if-match"], readMeta.etag);
      assert.deepEqual(JSON.parse(request?.body ?? ""), { price: 34.9, description: null });
      assert.equal(changedBeat.value.price, 34.9);
      assert.notEqual(changedBeat.meta.etag, readMeta.etag);

      proxy.begin((_, index) => (index === 0 ? { kind: "lose" } : undefined));
      const repeated = expectSuccess(
        await actor.call("updateBeat", { ...beatArguments, title: "Dawn", if_match: changedBeat.meta.etag }),
      );
      const [first, second] = proxy.requests.map(({ headers }) => headers["idempotency-key"]);
      assert.ok(first);
      assert.equal(first, second);
      assert.equal(proxy.requests[1]?.response?.headers["idempotent-replayed"], "true");
      assert.equal(repeated.value.title, "Dawn");

      const staleUpdate = await actor.call("updateBeat", { ...beatArguments, price: 1.5, if_match: readMeta.etag });
      assert.equal(expectFailure(staleUpdate, "PreconditionFailedError").status, 412);
      assert.equal(expectSuccess(await actor.call("getBeat", beatArguments)).value.price, 34.9);

      expectSuccess(
        await actor.call("updateBeat", { ...beatArguments, status: "published", if_match: repeated.meta.etag }),
      );
      const publishedBeat = await withStatus(actor, draft.id, "published");
      assert.ok(publishedBeat.waveform_url && publishedBeat.analysis, "the beat has no waveform or no analysis");
      const { read } = expectSuccess(
        await actor.do("call", {
          operation: "getBeat",
          arguments: beatArguments,
          read: ["status", "bpm_source", "analysis.sample_rate", "rejection"],
        }),
      );
      assert.deepEqual(read, {
        status: "published",
        bpm_source: publishedBeat.bpm_source,
        "analysis.sample_rate": 22_050,
        rejection: null,
      });
      expectSuccess(await actor.call("withdrawBeat", beatArguments));
    },
  },
  {
    name: "39 own beats by status",
    run: async (bed) => {
      const actor = new Actor(bed, "39");
      const audio = await uploadRecording(bed, actor, 42);
      const ids: number[] = [];
      for (const title of ["First draft", "Second draft", "Third draft"]) {
        const fields = { title, genre: "Ambient", audio, price: 20 };
        ids.unshift(expectSuccess(await actor.call("createBeat", fields)).value.id);
      }
      bed.proxy.begin();
      const { items, errors } = await actor.iterate("listOwnBeats", { status: "draft", limit: 2 });
      assert.deepEqual([items, errors], [ids, []]);
      assert.deepEqual(
        bed.proxy.requests.map(queryOf).map(({ status, limit, page = "1" }) => [status, limit, page]),
        [
          ["draft", "2", "1"],
          ["draft", "2", "2"],
        ],
      );
      const { value: page } = expectSuccess(await actor.call("listOwnBeats", { status: "published" }));
      assert.deepEqual(page.items, []);

      const [last, ...otherIds] = ids;
      bed.proxy.begin();
      const stale = await actor.call("withdrawBeat", { beat_id: last, if_match: '"v0-gone"' });
      expectFailure(stale, "PreconditionFailedError");
      const { value } = expectSuccess(await actor.call("withdrawBeat", { beat_id: last }));
      assert.deepEqual([value.id, value.status], [last, "withdrawn"]);
      const remainingDrafts = await actor.iterate("listOwnBeats", { status: "draft" });
      assert.deepEqual(remainingDrafts.items, otherIds);
      for (const beat_id of otherIds) expectSuccess(await actor.call("withdrawBeat", { beat_id }));
    },
  },
];
