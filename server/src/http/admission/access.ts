import type { Permission } from "./permissions.ts";

/** What a route requires of its caller: an API key, a portal session, or nothing. */
export type Access =
  /** `permission` is null if any valid key suffices. `hasOwnLimit`: the plan's limits do not count the call. */
  | { by: "key"; permission: Permission | null; hasOwnLimit?: true }
  /**
   * For the portal's own pages. Without `required`, callers without a session may call too. `hasOwnLimit`: the limit of
   * changes does not count the call. `ofOperators`: for operators; to everybody else the path does not exist.
   */
  | { by: "session"; required: boolean; hasOwnLimit?: true; ofOperators?: true }
  | { by: "anyone" };
