import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { Response } from "light-my-request";
import { type PublishOutcome, publishWhenReady } from "../../src/resources/beats/publishing/finish-publishing.ts";
import { findPublication, type Publication } from "../../src/resources/beats/publishing/request-publishing.ts";
import type { TestApi } from "./api.ts";
import { insertObject, insertUpload } from "./database/uploads.ts";

/** An account with uploads and beats, and the requests that it sends. */
export interface TestProducer {
  userId: number;
  send(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Creates a beat from an upload of the account, and returns it. */
  create(fields?: object): Promise<Record<string, unknown> & { id: number }>;
}

/**
 * Creates producers, and replaces the job `preview` without decoding audio. Each change advances the clock by a
 * millisecond.
 */
export function publishingOf(api: TestApi, clock = new FakeClock()) {
  const db = api.database.query;
  const context = { db, clock, publicUrl: "https://localhost:8443", allowsDuplicates: false };

  const producer = async (email: string): Promise<TestProducer> => {
    const key = await api.makeKey({ email });
    const { id: userId } = await db
      .selectFrom("users")
      .select("id")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    const send: TestProducer["send"] = (method, path, body, headers = {}) => {
      clock.advance(1);
      return api.request({
        method,
        url: `/v1${path}`,
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(body !== undefined && { payload: body }),
      });
    };
    return {
      userId,
      send,
      get: (path, headers = {}) => api.get(`/v1${path}`, { key, headers }),
      create: async (fields = {}) => {
        const audio = await insertUpload(api.database, { userId });
        const response = await send("POST", "/beats", { title: "Dusk", genre: "Trap", audio, price: 29.9, ...fields });
        if (response.statusCode !== 201) throw new Error(response.body);
        return response.json().data.beat;
      },
    };
  };

  /** Returns the publication as the job would find it. Throws unless all uploads are ready. */
  const readyPublication = async (beatId: number): Promise<Publication> => {
    const state = await findPublication(db, beatId);
    if (state.state !== "ready") throw new Error(`Beat ${beatId} is ${state.state}.`);
    return state.publication;
  };

  const publish = async (beatId: number, publication?: Publication): Promise<PublishOutcome> => {
    const ready = publication ?? (await readyPublication(beatId));
    clock.advance(1);
    const object = await insertObject(db, `preview of ${ready.audio.id} with ${ready.source.preview_tag}`);
    return publishWhenReady(context, ready, { preview: { ...object, content_type: "audio/mpeg" } });
  };

  return { context, producer, readyPublication, publish };
}
