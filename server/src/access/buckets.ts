import type { Caller } from "./caller.ts";

/** What a limit applies to: a key. Its calls from the portal's explorer have a bucket of their own. */
export interface Bucket {
  apiKeyId: number;
  fromExplorer: boolean;
}

/** The bucket's id in the stores: the key's id, negative for the explorer. */
export const bucketNumber = ({ apiKeyId, fromExplorer }: Bucket): number => (fromExplorer ? -apiKeyId : apiKeyId);

/** The inverse of `bucketNumber`. */
export const bucketAt = (number: number): Bucket => ({ apiKeyId: Math.abs(number), fromExplorer: number < 0 });

/** The id of a caller's bucket. */
export const bucketOf = ({ keyId, fromExplorer }: Caller): number =>
  bucketNumber({ apiKeyId: keyId, fromExplorer: fromExplorer === true });
