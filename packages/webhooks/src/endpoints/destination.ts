import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { BucketKey } from "@beatmarket/storage/signed-put.ts";
import type { Insertable, Selectable } from "kysely";
import { isBucketAddress, parseBucketUrl } from "../address/bucket-url.ts";
import { parseEndpointUrl } from "../address/endpoint-url.ts";
import type { Place, SecretBox } from "../secret-box.ts";
import type { WebhookEndpointsTable } from "../tables.ts";
import type { EndpointKind } from "./endpoints.ts";

/** Where the events of a new endpoint go. */
export interface Destination {
  /** The url of a receiver, or the address of a bucket: `s3://…`. */
  url: string;
  /** Required for a bucket, and refused for a receiver. */
  bucketKey?: BucketKey | undefined;
  isOrdered?: boolean;
}

interface AddressTerms {
  allowPrivate: boolean;
}

/**
 * Throws 400 for an invalid address or access key, for a receiver with an access key, and for a bucket without an
 * access key or with `isOrdered`.
 */
export function destinationColumns(
  { url, bucketKey, isOrdered = false }: Destination,
  terms: AddressTerms,
): Pick<Insertable<WebhookEndpointsTable>, "url" | "kind" | "access_key_id" | "secret_access_key"> {
  if (!isBucketAddress(url)) {
    if (bucketKey !== undefined) throw invalidRequest("Only a bucket takes an access key.", "s3");
    return { url: parseEndpointUrl(url, terms).href, kind: "http", access_key_id: null, secret_access_key: null };
  }
  const { href } = parseBucketUrl(url, terms);
  if (bucketKey === undefined) throw invalidRequest("A bucket needs an access key that may write to it.", "s3");
  if (isOrdered)
    throw invalidRequest("The events of each object are in order; a bucket takes no other order.", "ordered");
  // The secret is sealed and stored after the row has an id.
  return { url: href, kind: "s3", access_key_id: checkedKey(bucketKey).accessKeyId, secret_access_key: "" };
}

/** Throws 400 for an access key in a form that no server issues. */
function checkedKey(key: BucketKey): BucketKey {
  // No slash in the id, because each signature has it as the first part of a path.
  if (!/^[!-.0-~]{1,128}$/.test(key.accessKeyId) || !/^[!-~]{1,256}$/.test(key.secretAccessKey))
    throw invalidRequest("An access key has an id of at most 128 characters and a secret of at most 256.", "s3");
  return key;
}

/** Seals an access key for its endpoint. Throws 400 for a key in a form that no server issues. */
export const sealedKey = async (db: Queryable, id: number, key: BucketKey, secrets: SecretBox) => ({
  access_key_id: checkedKey(key).accessKeyId,
  secret_access_key: await secrets.seal(db, bucketSecret(id), key.secretAccessKey),
});

/** The address of an endpoint of this kind in the form to store. Throws 400 for an invalid address. */
export const addressOf = (kind: EndpointKind, url: string, terms: AddressTerms): string => {
  if (kind === "inbox") return url;
  return kind === "s3" ? parseBucketUrl(url, terms).href : parseEndpointUrl(url, terms).href;
};

/** Unseals the access key of a bucket. */
export const openBucketKey = (
  id: number,
  row: Pick<Selectable<WebhookEndpointsTable>, "access_key_id" | "secret_access_key">,
  box: SecretBox,
): BucketKey => ({
  accessKeyId: row.access_key_id ?? "",
  secretAccessKey: box.open(row.secret_access_key ?? "", bucketSecret(id)),
});

/** Where the secret of a bucket's access key is stored. */
export const bucketSecret = (id: number): Place & { id: number } => ({
  column: "webhook_endpoints.secret_access_key",
  id,
});
