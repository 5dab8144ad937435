import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { bucketOf, isBucketUrl, type S3Settings } from "@beatmarket/storage/places.ts";
import { parseEndpointUrl } from "./endpoint-url.ts";

/** The settings of an account's bucket, and the address to store. */
export interface BucketAddress {
  settings: S3Settings & { endpoint: string; region: string };
  href: string;
}

const maxUrlLength = 2_048;
/** Short enough that `ResponseBudget` never cuts the address of an object. */
const maxPrefixLength = 100;
/** The characters that need no escaping (Amazon S3, Creating object key names). */
const safePath = /^[\w!.*'()/-]*$/;

/**
 * Validates the address of a bucket: `s3://bucket/prefix`, with the parameters `region`, `endpoint` and `path_style`.
 * `endpoint` is the origin of an S3-compatible server; without it, Amazon's server of the region is used. The host
 * follows the rules of `parseEndpointUrl`. Throws 400 with the reason for a refused address.
 */
export function parseBucketUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): BucketAddress {
  const url = text.length <= maxUrlLength ? URL.parse(text) : null;
  if (url === null || !isBucketUrl(url) || url.hash !== "")
    throw refusal("The address takes a bucket such as s3://my-bucket/events?region=eu-central-1.");
  if (url.username !== "" || url.password !== "")
    throw refusal("The address contains an access key; use the fields for access keys instead.");
  if (!safePath.test(url.pathname))
    throw refusal("The prefix takes letters, digits, slashes and the characters ! - _ . * ' ( ).");
  const settings = bucketOf("the address", url, (sentence) => refusal(sentence.replace(/^the address/, "The address")));
  if (settings.prefix.length > maxPrefixLength)
    throw refusal(`The prefix has more than ${maxPrefixLength} characters.`);
  const { endpoint, region } = settings;
  if (region === undefined && endpoint === undefined)
    throw refusal("The address lacks the bucket's region; add it, such as ?region=eu-central-1.");
  if (region !== undefined && !/^[a-z0-9-]{1,40}$/.test(region))
    throw refusal(`The region is "${region}"; it takes a name such as eu-central-1.`);
  // `Sender` also checks the host of each request, which can include the bucket's name.
  if (endpoint !== undefined) parseEndpointUrl(endpoint, { allowPrivate });
  return {
    settings: {
      ...settings,
      region: region ?? defaultRegion,
      // Always set, so that no setting of the service's own storage applies.
      endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    },
    href: `s3://${settings.bucket}/${settings.prefix}${url.search}`,
  };
}

/** Servers without regions accept this one. */
const defaultRegion = "us-east-1";

export const isBucketAddress = (text: string): boolean => text.startsWith("s3:");

const refusal = (sentence: string) => invalidRequest(sentence, "url");
