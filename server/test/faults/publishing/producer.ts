import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { zip } from "@beatmarket/audio/testing/bombs.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import sharp from "sharp";
import type { SentFile, Uploader } from "./uploader.ts";

const recording = wav(beat(1.2));
const stem = wav(beat(0.1));

/** Creates files that only this producer has. The last one is not of its declared kind. */
const makers: readonly (() => Promise<SentFile>)[] = [
  async () => {
    const bytes = Buffer.from(recording);
    randomBytes(64).copy(bytes, bytes.length - 64);
    return { kind: "audio", bytes };
  },
  async () => ({
    kind: "cover",
    bytes: await sharp(randomBytes(64 * 64 * 4), { raw: { width: 64, height: 64, channels: 4 } })
      .png()
      .toBuffer(),
  }),
  async () => ({ kind: "stems", bytes: await zip({ "kick.wav": stem, "notes.txt": Buffer.from(randomUUID()) }) }),
  async () => ({ kind: "audio", bytes: Buffer.from(`This is no audio: ${randomUUID()}`) }),
];
export const newFile = (kind: "audio" | "cover" | "stems" | "text"): Promise<SentFile> =>
  (makers[["audio", "cover", "stems", "text"].indexOf(kind)] as (typeof makers)[number])();

/** Uploads, publishes, edits and withdraws until the caller stops it. Kills hide the outcome of some steps. */
export class Producer {
  readonly #uploader: Uploader;
  /** The files by the ids of their uploads, if a response contained the id. */
  readonly files = new Map<string, SentFile>();
  readonly beatIds: number[] = [];

  constructor(uploader: Uploader) {
    this.#uploader = uploader;
  }

  async work(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await this.#publish();
      for (let edits = randomInt(3); edits > 0; edits--) await this.#edit();
      await sleep(randomInt(300));
    }
  }

  async #publish(): Promise<void> {
    const audio = await this.#upload(randomInt(8) === 0 ? "text" : "audio");
    if (audio === null) return;
    const cover = randomInt(2) === 0 ? await this.#upload("cover") : null;
    const stems = randomInt(3) === 0 ? await this.#upload("stems") : null;
    const body = {
      title: `Beat ${randomUUID()}`,
      genre: "Trap",
      price: 20,
      bpm: 120,
      status: "published",
      audio,
      ...(cover !== null && { cover }),
      ...(stems !== null && { stems }),
    };
    const idempotencyKey = randomUUID();
    for (let attempt = 0; attempt < 5; attempt++) {
      const reply = await this.#uploader.sendJson("POST", "/beats", body, { "idempotency-key": idempotencyKey });
      if (reply.status === 201) this.beatIds.push(JSON.parse(reply.body).data.beat.id);
      if (reply.status === 201 || reply.status === 400) return;
      await sleep(300);
    }
  }

  async #edit(): Promise<void> {
    const id = this.beatIds[randomInt(Math.max(1, this.beatIds.length))];
    if (id === undefined) return;
    const choice = randomInt(4);
    if (choice === 0) return void (await this.#uploader.send("DELETE", `/beats/${id}`));
    const audio = choice === 1 ? await this.#upload("audio") : null;
    let change: object = { title: `Edit ${randomUUID()}` };
    if (audio !== null) change = { audio };
    else if (choice === 2) change = { status: "published" };
    await this.#uploader.sendJson("PATCH", `/beats/${id}`, change);
  }

  async #upload(kind: "audio" | "cover" | "stems" | "text"): Promise<string | null> {
    const file = await newFile(kind);
    const id = await this.#uploader.begin(file);
    if (id === null) return null;
    this.files.set(id, file);
    return (await this.#uploader.finish(id, file, 30)) ? id : null;
  }
}
