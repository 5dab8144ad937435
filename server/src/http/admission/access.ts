import type { SessionPermission } from "./account.ts";
import type { Permission } from "./permissions.ts";

/** What a route requires of its caller: an API key, a portal session, or nothing. */
export type Access =
  /** `permission` is null if any valid key suffices. `hasOwnLimit`: the plan's limits do not count the call. */
  | { by: "key"; permission: Permission | null; hasOwnLimit?: true }
  /**
   * For the portal's own pages. `permission`: what the member of an organisation needs (roles.ts). `hasOwnLimit`: the limit of
   * changes does not count the call. `ofOperators`: for operators; to everybody else the path does not exist.
   */
  | { by: "session"; required: true; permission: SessionPermission; hasOwnLimit?: true; ofOperators?: true }
  /** For the portal's own pages, also without a session. */
  | { by: "session"; required: false }
  | { by: "anyone" };
