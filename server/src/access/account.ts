import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { type MemberPermission, type Role, refusalOf, roleRefused } from "./roles.ts";

/**
 * 403 for a suspended account: the key or password is right, but the request is not permitted
 * (docs/api/authentication.md, Suspended accounts). `reason` is the operator's sentence.
 */
export const accountSuspended = (reason: string): ApiError =>
  new ApiError(
    403,
    "forbidden",
    "Account suspended",
    `This account is suspended: ${reason} To appeal, reply to the mail that said so.`,
    { refusedBy: "account:suspended" },
  );

/** The account of a portal session: the person's own account, or an organisation's account. */
export interface Account {
  /** The marketplace user whose keys, calls and endpoints are shown. */
  userId: number;
  /** The organisation that the person acts as; null in their own account. */
  organisation: MemberOrganisation | null;
  /** The person's own marketplace user. */
  personId: number;
  /** The id of the person in the portal. */
  id: string;
  /** The name of the person. */
  name: string;
  /** The address of the person. */
  email: string;
  /** The id of the session in the list of the person's sessions. */
  sessionId: string;
  /** Whether the session began in a browser that the person had not used before. */
  isNewDevice: boolean;
  /** Whether the last authentication included a code or a passkey. */
  hasSecondFactor: boolean;
  /** Whether the person may see and change all accounts, on the portal's pages for operators. */
  isOperator: boolean;
  /** The time of the last authentication, which began the session. */
  signedInAt: Date;
  /**
   * Only in the test mode of an account, whose database has neither sessions nor members: reads the account of the
   * session again from the live service. Returns null if the session has ended.
   */
  readAgain?(): Promise<Account | null>;
}

/** An organisation, with the role of one of its members. */
export interface MemberOrganisation {
  userId: number;
  name: string;
  role: Role;
  /** The operator's reason for its suspension; null unless it is suspended. */
  suspensionReason: string | null;
}

/** The permission that a route requires of a session; "self" for a route about the person. */
export type SessionPermission = MemberPermission | "self";

/** The header in which a change names the account that the page shows. */
export const accountHeader = "x-account";

/**
 * The account for a call. For `self`, it is the person's own account, even while they act as an organisation. Throws
 * 403 if the organisation is suspended or the role lacks the permission. Throws 409 if the page shows another account
 * than the present one of the session.
 */
export function permittedAccount(account: Account, permission: SessionPermission, shownId?: string): Account {
  if (permission === "self") return { ...account, userId: account.personId, organisation: null };
  if (shownId !== undefined && shownId !== String(account.userId))
    throw conflict(
      "This page shows another account than the one that you act as now: you changed it in another window, or are not a member any more. Reload the page, then try again.",
    );
  const { organisation } = account;
  if (organisation === null) return account;
  if (organisation.suspensionReason !== null) throw accountSuspended(organisation.suspensionReason);
  const refusal = refusalOf(organisation.role, organisation.name, permission);
  if (refusal !== null) throw roleRefused(refusal, permission);
  return account;
}
