import type { Caller } from "../admission/caller.ts";

/** What requests are counted in: a key, and apart from it the calls that its owner makes with it in the explorer. */
export interface Bucket {
  apiKeyId: number;
  fromExplorer: boolean;
}

/** A bucket as a number, which stores know it by: the key's id, negative for the explorer's. */
export const bucketNumber = ({ apiKeyId, fromExplorer }: Bucket): number => (fromExplorer ? -apiKeyId : apiKeyId);

/** The bucket of a number. */
export const bucketAt = (number: number): Bucket => ({ apiKeyId: Math.abs(number), fromExplorer: number < 0 });

/** The number of the bucket that a caller's requests are counted in. */
export const bucketOf = ({ keyId, fromExplorer }: Caller): number =>
  bucketNumber({ apiKeyId: keyId, fromExplorer: fromExplorer === true });
