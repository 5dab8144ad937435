import { type Attempts, sweepAttempts } from "@beatmarket/authentication/attempts.ts";
import { KnownDevices } from "@beatmarket/authentication/known-devices.ts";
import { AccountLimits, type Client, networkOf } from "@beatmarket/authentication/limits.ts";
import { hashPassword, isPassword, PasswordHashing } from "@beatmarket/authentication/password-hashing.ts";
import {
  clearSessionCookie,
  readSessionCookie,
  type SessionSecrets,
  setSessionCookie,
} from "@beatmarket/authentication/session-cookie.ts";
import {
  createSession,
  endExcessSessions,
  endSessionOf,
  findSession,
  renewSession,
  type Session,
  sweepSessions,
} from "@beatmarket/authentication/sessions.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { MailQueue } from "@beatmarket/mail/mail-queue.ts";
import type { SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import type { Queryable } from "../../database/connect.ts";
import { sweepLogins } from "../../resources/api-keys/device-logins.ts";
import type { AuditAction } from "../../resources/audit/actions.ts";
import { recordAudit } from "../../resources/audit/queries.ts";
import { sweepInvitations } from "../../resources/organisations/invitations.ts";
import { requireActive } from "../../resources/users/standing.ts";
import { findPasswordHash, userIdOf } from "./account-rows.ts";
import { type MailText, newDeviceMail } from "./mails.ts";

/**
 * Deletes ended sessions, expired mailed links, expired invitations, expired logins of programs, and ended windows of
 * attempts.
 */
export async function sweepAuth(db: Queryable, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await sweepSessions(db, now);
  await db.deleteFrom("portal_mail_links").where("expires_at", "<", now).execute();
  await sweepInvitations(db, now);
  await sweepLogins(db, now);
  await sweepAttempts(db, now);
}

export interface AuthSettings {
  /** The origin of the portal, without a trailing slash. */
  publicUrl: string;
  /** The name that authenticator apps show. */
  siteName: string;
  secrets: () => SessionSecrets;
}

export interface AccountsParts {
  db: Queryable;
  clock: Clock;
  settings: AuthSettings;
  attempts: Attempts;
  mailQueue: MailQueue;
  /** Seals the secrets of authenticators. */
  secrets: SecretBox;
}

const maxAddressLength = 50;
const maxUserAgentLength = 300;

/** The values of Set-Cookie headers. */
export type Cookies = readonly string[];

interface SessionTraits {
  isNewDevice?: boolean;
  /** Whether the sign-in included a code or a passkey. */
  hasSecondFactor?: boolean;
  actingAs?: number;
}

/** The dependencies of all ways to sign in. */
export class AuthContext {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly settings: AuthSettings;
  readonly secrets: SecretBox;
  readonly mailQueue: MailQueue;
  readonly attempts: Attempts;
  readonly devices: KnownDevices;
  readonly limits: AccountLimits;
  readonly hashing = new PasswordHashing();

  constructor({ db, clock, settings, attempts, mailQueue, secrets }: AccountsParts) {
    this.db = db;
    this.clock = clock;
    this.settings = settings;
    this.secrets = secrets;
    this.mailQueue = mailQueue;
    this.attempts = attempts;
    this.devices = new KnownDevices(settings.secrets, clock);
    this.limits = new AccountLimits(attempts, this.devices);
  }

  get now(): Date {
    return new Date(this.clock.nowMs());
  }

  /** Hashes a password in the queue of hashes. Throws 503 if too many wait. */
  async hash(password: string, client: Client): Promise<string> {
    return this.hashing.run(networkOf(client), () => hashPassword(password));
  }

  /** Whether a password is right. Takes equally long if `hash` is null. Throws 503 if too many hashes wait. */
  async verify(hash: string | null, password: string, client: Client, isKnownDevice = false): Promise<boolean> {
    return this.hashing.run(networkOf(client), () => isPassword(password, hash), isKnownDevice);
  }

  /**
   * Completes a successful authentication: opens a session, writes an audit entry with the subject `how`, and mails the
   * owner if the device is new.
   */
  async signedIn(
    attempt: { accountId: string; email: string; isKnownDevice: boolean; hasSecondFactor: boolean },
    client: Client,
    how = "",
  ): Promise<Cookies> {
    const { db, settings } = this;
    const { accountId, email, isKnownDevice, hasSecondFactor } = attempt;
    const cookies = await this.openSession(accountId, client, { isNewDevice: !isKnownDevice, hasSecondFactor });
    const action = isKnownDevice ? "account.signed_in" : "account.signed_in_on_new_device";
    await this.audit(db, await userIdOf(db, accountId), action, client, how);
    if (!isKnownDevice)
      this.mailQueue.notify(async () =>
        (await this.limits.admitsDeviceMail(email))
          ? { to: email, ...newDeviceMail(settings.publicUrl, client.author) }
          : null,
      );
    return [...cookies, ...(await this.deviceCookies(email))];
  }

  /**
   * Opens a session that replaces the session of the request. A person who signs in again continues to act as the same
   * account. Throws 403 for a suspended account.
   */
  async openSession(
    accountId: string,
    client: Client,
    { isNewDevice = false, hasSecondFactor = false, actingAs }: SessionTraits = {},
    ...deviceCookies: Cookies
  ): Promise<Cookies> {
    await requireActive(this.db, await userIdOf(this.db, accountId));
    const cookie = readSessionCookie(client.headers, this.settings.secrets());
    const former = cookie === null ? null : await findSession(this.db, cookie.token, this.now);
    if (cookie !== null) await endSessionOf(this.db, cookie.token);
    const continued = former?.accountId === accountId ? former : null;
    const session = {
      accountId,
      ipAddress: client.author.clientAddress.slice(0, maxAddressLength),
      userAgent: client.author.userAgent.slice(0, maxUserAgentLength),
      isNewDevice: isNewDevice || continued?.isNewDevice === true,
      hasSecondFactor,
      actingAs: actingAs ?? continued?.actingAs ?? null,
    };
    const token = await createSession(this.db, session, this.now);
    await endExcessSessions(this.db, accountId);
    return [setSessionCookie(token, this.settings.secrets()), ...deviceCookies];
  }

  /**
   * Finds the session of a request and extends it. Also returns the Set-Cookie headers: they extend the cookie, sign
   * it with a new key, or remove it if the session has ended. Deletes the row of an ended session.
   */
  async useSession(headers: Headers): Promise<{ session: Session | null; cookies: Cookies }> {
    const secrets = this.settings.secrets();
    const cookie = readSessionCookie(headers, secrets);
    if (cookie === null) return { session: null, cookies: [] };
    const session = await findSession(this.db, cookie.token, this.now);
    if (session === null) return { session, cookies: await this.endSession(headers) };
    const isRenewed = await renewSession(this.db, session, this.now);
    return { session, cookies: isRenewed || !cookie.isCurrent ? [setSessionCookie(session.token, secrets)] : [] };
  }

  /** Ends the session of a request. Returns the Set-Cookie headers that remove its cookie. */
  async endSession(headers: Headers): Promise<Cookies> {
    const cookie = readSessionCookie(headers, this.settings.secrets());
    if (cookie !== null) await endSessionOf(this.db, cookie.token);
    return [clearSessionCookie];
  }

  /** The cookie that makes the browser a known device of the account; none for an account without a password. */
  async deviceCookies(email: string): Promise<Cookies> {
    const passwordHash = await findPasswordHash(this.db, email);
    return passwordHash === null ? [] : [this.devices.cookie(email, passwordHash)];
  }

  /** Mails a notice in the background. */
  notify(to: string, mail: MailText): void {
    this.mailQueue.notify(async () => ({ to, ...mail }));
  }

  async audit(
    db: Queryable,
    userId: number,
    action: AuditAction,
    { author }: Pick<Client, "author">,
    subject = "",
  ): Promise<void> {
    await recordAudit(db, { userId, action, subject, author, at: this.now });
  }
}

export const wrongPassword = (details: string): ApiError =>
  new ApiError(401, "unauthorized", "Wrong password", details, { refusedBy: "password" });

export const deadLink = (next: string): ApiError =>
  invalidRequest(`This link does not work any more: it was used, or it is too old. ${next}`, "token");
