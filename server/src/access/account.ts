import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { type MemberPermission, type Role, refusalOf, roleRefused } from "./roles.ts";

/**
 * 403 for a suspended account: the key or password is right, and what is requested is not permitted (docs/api/authentication.md,
 * Suspended accounts). `reason` is the operator's sentence.
 */
export const accountSuspended = (reason: string): ApiError =>
  new ApiError(
    403,
    "forbidden",
    "Account suspended",
    `This account is suspended: ${reason} To appeal, reply to the mail that said so.`,
    { refusedBy: "account:suspended" },
  );

/** The account of a portal session: the person's own, or an organisation's that the person acts as. */
export interface Account {
  /** The marketplace user: whose keys, calls and endpoints are shown. */
  userId: number;
  /** The organisation that the person acts as; null in their own account. */
  organisation: ActingAs | null;
  /** The person's own marketplace user. */
  personId: number;
  /** The id of the person in the portal. */
  id: string;
  /** The person's. */
  name: string;
  /** The person's. */
  email: string;
  /** Of the session, in the list of the person's sessions. */
  sessionId: string;
  /** Whether a browser that the person had not used began the session. */
  isNewDevice: boolean;
  /** The last authentication took a code or a passkey. */
  hasSecondFactor: boolean;
  /** The person may see and change all accounts, on the portal's pages for operators. */
  isOperator: boolean;
  /** When the session began: the last authentication. */
  signedInAt: Date;
}

/** An organisation, as one of its members sees it. */
export interface ActingAs {
  userId: number;
  name: string;
  role: Role;
  /** Why it is suspended, as a sentence of the operator's; null unless it is. */
  suspendedFor: string | null;
}

/** What a route asks of its session: a permission in the account, or nothing, since it is about the person. */
export type SessionPermission = MemberPermission | "self";

/** Names the account that a page shows, in calls that change something. */
export const accountHeader = "x-account";

/**
 * The account that a call works on: the person's own for `self`, also while they act as an organisation. Throws 403 where the organisation is
 * suspended or the role lacks the permission, and 409 where the page shows another account than the session's by now.
 */
export function permittedAccount(account: Account, permission: SessionPermission, shown?: string): Account {
  if (permission === "self") return { ...account, userId: account.personId, organisation: null };
  if (shown !== undefined && shown !== String(account.userId))
    throw conflict(
      "This page shows another account than the one that you act as now: you changed it in another window, or are no member any more. Reload the page, then try again.",
    );
  const { organisation } = account;
  if (organisation === null) return account;
  if (organisation.suspendedFor !== null) throw accountSuspended(organisation.suspendedFor);
  const refusal = refusalOf(organisation.role, organisation.name, permission);
  if (refusal !== null) throw roleRefused(refusal, permission);
  return account;
}
