import type { ReadServer } from "../database/connect.ts";
import type { Account, SessionPermission } from "./account.ts";
import type { PlanName } from "./plans.ts";
import type { Permission } from "./roles.ts";

/** The user and plan of a request's API key. */
export interface Caller {
  readonly keyId: number;
  readonly userId: number;
  readonly plan: PlanName;
  readonly permissions: ReadonlySet<Permission>;
  /** Whether the account has beats, including drafts. Current within half a second. */
  readonly hasBeats?: true;
  /** The reason why the account is suspended; absent if it is not. Current within half a second. */
  readonly suspensionReason?: string;
  /**
   * The amount that the key may spend on orders in any 30 days, in cents of the service's currency; absent without a
   * cap.
   */
  readonly spendingCapCents?: number;
  /** The addresses and networks that may use the key; absent if all may. */
  readonly allowedNetworks?: readonly string[];
  /** The date of the API's version for the key; absent if the version of the account applies. */
  readonly version?: string;
  /** The date of the API's version for the account; absent before its first call. */
  readonly accountVersion?: string;
  /** When the key expires, in Unix milliseconds; absent if it never does. */
  readonly expiresAtMs?: number;
  /** Whether the key's owner calls from the portal's explorer, which has separate limits. */
  readonly fromExplorer?: true;
}

/** A limit applies to a bucket: the calls of a key, or its calls from the portal's explorer. */
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

// Aliases, because within the module declaration `Caller` and `Account` are the types of the declared module.
type ShopCaller = Caller;
type ShopAccount = Account;
type ShopPermission = Permission;
type ShopSessionPermission = SessionPermission;
type ShopReadServer = ReadServer;

declare module "@beatmarket/http/application.ts" {
  interface Application {
    caller: ShopCaller;
    account: ShopAccount;
    permission: ShopPermission;
    sessionPermission: ShopSessionPermission;
    readServer: ShopReadServer;
  }
}
