import type { S3Settings } from "@beatmarket/storage/places.ts";
import type { BucketKey, NewObject } from "@beatmarket/storage/signed-put.ts";
import { parseBucketUrl } from "../address/bucket-url.ts";
import { failureInWords } from "../failure-reasons.ts";
import { failedOutcome, type Outcome, type Sender } from "../sender.ts";

/** An object for a bucket. */
export interface BucketRequest {
  /** The address of the bucket (`parseBucketUrl`). */
  url: string;
  key: BucketKey;
  object: NewObject;
}

/**
 * Writes objects to the buckets of accounts with the sender of webhooks, so that the same limits of time, response size
 * and addresses apply.
 */
export class BucketWriter {
  readonly #sender: Pick<Sender, "send">;
  readonly #allowPrivate: boolean;

  constructor(options: { sender: Pick<Sender, "send">; allowPrivate: boolean }) {
    this.#sender = options.sender;
    this.#allowPrivate = options.allowPrivate;
  }

  /** Never rejects; every failure is an outcome. The response body of a successful outcome is the object's address. */
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

type Place = Pick<S3Settings, "bucket" | "prefix">;

const otherRegion = ({ bucket }: Place): string =>
  `The bucket ${bucket} is in another region than the endpoint names; change the endpoint's region.`;

/** The reasons by the error code of an S3 response. */
const sentences = new Map<string, (place: Place) => string>(
  Object.entries({
    NoSuchBucket: ({ bucket }: Place) => `There is no bucket ${bucket}; create it, or change the endpoint.`,
    AccessDenied: ({ bucket, prefix }: Place) =>
      `The access key may not write to the bucket; allow it s3:PutObject on arn:aws:s3:::${bucket}/${prefix}*.`,
    InvalidAccessKeyId: () => "The bucket's server does not know the access key; give the endpoint another one.",
    SignatureDoesNotMatch: () => "The secret does not belong to the access key; give the endpoint the right secret.",
    RequestTimeTooSkewed: () => "The clocks of this service and of the bucket's server differ by more than 15 minutes.",
    PermanentRedirect: otherRegion,
    TemporaryRedirect: otherRegion,
    AuthorizationHeaderMalformed: otherRegion,
    AuthorizationQueryParametersError: otherRegion,
    IllegalLocationConstraintException: otherRegion,
    SlowDown: () => "The bucket's server asked for fewer requests.",
  }),
);

/** The reason why an S3 server refused an object, as a sentence for the bucket's owner. */
export function bucketFaultInWords(
  { status, responseBody }: { status: number; responseBody: string },
  place: Place,
): string {
  const code = /<Code>(\w{1,100})<\/Code>/.exec(responseBody)?.[1] ?? "";
  const sentence = sentences.get(code) ?? (status === 301 || status === 307 ? otherRegion : undefined);
  if (sentence !== undefined) return sentence(place);
  return `The bucket's server answered ${status}${code === "" ? "" : ` (${code})`}. Only 2xx says that an object was written.`;
}
