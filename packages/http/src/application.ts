/**
 * The types that an application gives to the pipeline. It declares the members:
 *
 *     declare module "./application.ts" {
 *       interface Application { caller: Caller; account: Account; permission: Permission }
 *     }
 *
 * Without a member the default below holds. So rows of a route table need no type parameters.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an application declares the members.
export interface Application {}

type Of<Name extends string, Default> = Name extends keyof Application ? Application[Name] : Default;

/** The owner of a request's API key. */
export type Caller = Of<
  "caller",
  {
    readonly keyId: number;
    readonly userId: number;
    /** Unix milliseconds; absent: never. */
    readonly expiresAtMs?: number;
  }
>;

/** The account of a session, and the person who acts. */
export type Account = Of<"account", { readonly userId: number; readonly personId: number }>;

/** What a key may do. */
export type Permission = Of<"permission", string>;

/** What the session of a person may do. */
export type SessionPermission = Of<"sessionPermission", string>;

/** Where statements of a read run. */
export type ReadServer = Of<"readServer", { readonly query: unknown }>;

/** The owner of a revoked or expired key. */
export interface LapsedKey {
  readonly keyId: number;
  readonly userId: number;
  readonly reason: "revoked" | "expired";
}

/** What a route requires of its caller: an API key, a session, or nothing. */
export type Access =
  /**
   * `permission` is null if any valid key suffices. `hasOwnLimit`: the limit of the key does not count the request. `isOptional`: also
   * without a key.
   */
  | { by: "key"; permission: Permission | null; hasOwnLimit?: true; isOptional?: true }
  /**
   * `hasOwnLimit`: the limit of changes does not count the request. `ofOperators`: for operators; for all others the path does not
   * exist.
   */
  | { by: "session"; required: true; permission: SessionPermission; hasOwnLimit?: true; ofOperators?: true }
  /** Also without a session. */
  | { by: "session"; required: false }
  | { by: "anyone" };
