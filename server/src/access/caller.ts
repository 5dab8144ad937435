import type { Permission } from "./permissions.ts";
import type { PlanName } from "./plans.ts";

/** The user and plan of a request's API key. */
export interface Caller {
  readonly keyId: number;
  readonly userId: number;
  readonly plan: PlanName;
  readonly permissions: ReadonlySet<Permission>;
  /** The account has beats, including drafts. Known at most half a second after the first beat. */
  readonly hasBeats?: true;
  /** The reason why the account is suspended; absent unless it is. Known at most half a second later. */
  readonly suspendedFor?: string;
  /** The amount that the key may spend on orders in any 30 days, in cents of the service's currency; absent: no cap. */
  readonly spendingCapCents?: number;
  /** The addresses and networks that may use the key; absent: all. */
  readonly allowedNetworks?: readonly string[];
  /** The date of the API's version that the key is pinned to; absent: the account's. */
  readonly version?: string;
  /** The date of the API's version that the account is pinned to; absent before its first call. */
  readonly accountVersion?: string;
  /** When the key expires, Unix milliseconds; absent: never. */
  readonly expiresAtMs?: number;
  /** The key's owner calls from the portal's explorer, which has separate limits. */
  readonly fromExplorer?: true;
}

/** What a limit applies to: a key. A key's calls from the portal's explorer have a separate bucket. */
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
