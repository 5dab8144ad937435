/**
 * The types that an application passes to the pipeline. The application declares them once, so the rows of a route
 * table need no type parameters:
 *
 *     declare module "@beatmarket/http/application.ts" {
 *       interface Application { caller: Caller; account: Account; permission: Permission }
 *     }
 *
 * The members are the first arguments of `Of` below. A member that is not declared has the default, the second
 * argument.
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
    /** Unix milliseconds. Absent: the key never expires. */
    readonly expiresAtMs?: number;
  }
>;

/** The account of a session, and the person who is signed in. */
export type Account = Of<"account", { readonly userId: number; readonly personId: number }>;

/** A permission of a key. */
export type Permission = Of<"permission", string>;

/** A permission of a person's session. */
export type SessionPermission = Of<"sessionPermission", string>;

/** The database server that runs the statements of a read. */
export type ReadServer = Of<"readServer", { readonly query: unknown }>;

/** The owner of a revoked or expired key. */
export interface FormerKey {
  readonly keyId: number;
  readonly userId: number;
  readonly reason: "revoked" | "expired";
}

/** The credential that a route requires: an API key, a session, or none. */
export type Access =
  /**
   * `permission`: null if any valid key suffices. `hasOwnLimit`: the request does not count towards the key's limit.
   * `isOptional`: the key may be absent. `ofTestMode`: the route exists only in test mode.
   */
  | { by: "key"; permission: Permission | null; hasOwnLimit?: true; isOptional?: true; ofTestMode?: true }
  /**
   * `hasOwnLimit`: the request does not count towards the limit of changes. `ofOperators`: only operators have access;
   * everyone else gets the response of an unknown path.
   */
  | { by: "session"; required: true; permission: SessionPermission; hasOwnLimit?: true; ofOperators?: true }
  /** The session may be absent. */
  | { by: "session"; required: false }
  | { by: "anyone" };
