import type { BucketKey, NewObject } from "@beatmarket/storage/signed-put.ts";
import { parseBucketUrl } from "../endpoints/address/bucket-url.ts";
import { failureInWords } from "../failure-reasons.ts";
import { failedOutcome, type Outcome, type Sender } from "../sender.ts";
import { bucketFaultInWords } from "./fault.ts";

/** An object for a bucket. */
export interface BucketRequest {
  /** The address of the bucket (`parseBucketUrl`). */
  url: string;
  key: BucketKey;
  object: NewObject;
}

/**
 * Writes objects to the buckets of accounts, over the sender of webhooks: with its time limit, its limit for responses
 * and its addresses, which must be public.
 */
export class BucketWriter {
  readonly #sender: Pick<Sender, "send">;
  readonly #allowPrivate: boolean;

  constructor(options: { sender: Pick<Sender, "send">; allowPrivate: boolean }) {
    this.#sender = options.sender;
    this.#allowPrivate = options.allowPrivate;
  }

  /** Never rejects; every failure is an outcome. Its response body after a success is the object's address. */
  async write({ url, key, object }: BucketRequest): Promise<Outcome> {
    try {
      const { settings } = parseBucketUrl(url, { allowPrivate: this.#allowPrivate });
      // Loaded on demand: most accounts have no bucket.
      const { signedPut } = await import("@beatmarket/storage/signed-put.ts");
      const request = await signedPut(settings, key, object);
      const outcome = await this.#sender.send({ method: "PUT", body: object.bytes, ...request });
      const { bucket, prefix } = settings;
      if (outcome.error === null) return { ...outcome, responseBody: `s3://${bucket}/${prefix}${object.key}` };
      if (outcome.status === null) return outcome;
      return { ...outcome, error: bucketFaultInWords({ ...outcome, status: outcome.status }, settings) };
    } catch (error) {
      return failedOutcome(failureInWords(error));
    }
  }
}
