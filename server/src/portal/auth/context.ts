import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import type { Queryable } from "../../database/connect.ts";
import type { AuditAction } from "../../resources/audit/actions.ts";
import { recordAudit } from "../../resources/audit/queries.ts";
import { sweepInvitations } from "../../resources/organisations/invitations.ts";
import type { SecretBox } from "../../resources/secrets/secret-box.ts";
import { requireActive } from "../../resources/users/standing.ts";
import { findPasswordHash, userIdOf } from "./account-rows.ts";
import type { Attempts } from "./attempts.ts";
import type { AuthSettings, PortalAuth } from "./better-auth.ts";
import { KnownDevices } from "./known-devices.ts";
import { AccountLimits, type Client, networkOf } from "./limits.ts";
import type { MailQueue } from "./mail-queue.ts";
import { type MailText, newDeviceMail } from "./mails.ts";
import { PasswordHashing } from "./password-hashing.ts";
import { endExcessSessions, sweepSessions } from "./sessions.ts";

/** Deletes ended sessions, expired mailed links and invitations, and attempts whose window is over. */
export async function sweepAuth(db: Queryable, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await sweepSessions(db, now);
  await db.deleteFrom("portal_mail_links").where("expires_at", "<", now).execute();
  await sweepInvitations(db, now);
  await db.deleteFrom("portal_attempts").where("window_ends_at", "<", now).execute();
}

export interface AccountsParts {
  db: Queryable;
  clock: Clock;
  settings: AuthSettings;
  attempts: Attempts;
  mailQueue: MailQueue;
  /** What the secrets of authenticators are sealed in. */
  secrets: SecretBox;
}

const maxAddressLength = 50;
const maxUserAgentLength = 300;

/** The Set-Cookie headers of a sign-in. */
export type Cookies = readonly string[];

interface SessionTraits {
  isNewDevice?: boolean;
  /** The sign-in took a code or a passkey. */
  hasSecondFactor?: boolean;
  actingAs?: number;
}

/** What every way to an account works with. */
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
  #shared: { secrets: string; auth: () => Promise<PortalAuth> } | null = null;

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

  /** Better Auth over the pool; another one when the secrets have changed. */
  auth(): Promise<PortalAuth> {
    const secrets = this.settings.secrets().join();
    if (this.#shared?.secrets !== secrets) this.#shared = { secrets, auth: onFirstUse(() => this.authOn(this.db)) };
    return this.#shared.auth();
  }

  /**
   * Better Auth over the pool or one transaction. Loaded on first use, so that a server without portal users saves its
   * memory.
   */
  async authOn(db: Queryable): Promise<PortalAuth> {
    const { portalAuth } = await import("./better-auth.ts");
    const { publicUrl, secrets } = this.settings;
    return portalAuth(db, this.clock, { publicUrl, secrets: secrets() });
  }

  /** Hashes a password in the queue of hashes. 503 if too many wait. */
  async hash(password: string, client: Client): Promise<string> {
    const { password: passwords } = await (await this.auth()).$context;
    return this.hashing.run(networkOf(client), () => passwords.hash(password));
  }

  /** Whether a password is right. Takes as long where there is no hash. 503 if too many hashes wait. */
  async verify(hash: string | null, password: string, client: Client, isKnownDevice = false): Promise<boolean> {
    const { password: passwords } = await (await this.auth()).$context;
    const check = async () => {
      if (hash !== null) return passwords.verify({ hash, password });
      await passwords.hash(password);
      return false;
    };
    return this.hashing.run(networkOf(client), check, isKnownDevice);
  }

  /** What follows a successful authentication: a session, an entry in the log, and a mail if the device is new. */
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

  /** Opens a session in place of the one that the request came with; the same person goes on to act as the same account. 403 for a suspended account. */
  async openSession(
    accountId: string,
    client: Client,
    { isNewDevice = false, hasSecondFactor = false, actingAs }: SessionTraits = {},
    ...deviceCookies: Cookies
  ): Promise<Cookies> {
    await requireActive(this.db, await userIdOf(this.db, accountId));
    const { api } = await this.auth();
    const former = await api.getSession({ headers: client.headers });
    await this.endSession(former?.session.token);
    const own = former?.user.id === accountId ? former.session : null;
    const device = {
      ipAddress: client.author.clientAddress.slice(0, maxAddressLength),
      userAgent: client.author.userAgent.slice(0, maxUserAgentLength),
      isNewDevice: isNewDevice || own?.isNewDevice === true,
      hasSecondFactor,
      actingAs: actingAs ?? own?.actingAs ?? null,
    };
    const opened = await api.openSession({ body: { accountId, device }, returnHeaders: true });
    await endExcessSessions(this.db, accountId);
    return [...opened.headers.getSetCookie(), ...deviceCookies];
  }

  async endSession(token: string | undefined): Promise<void> {
    if (token === undefined) return;
    const { internalAdapter } = await (await this.auth()).$context;
    await internalAdapter.deleteSession(token);
  }

  /** The cookie by which the account knows the browser from now on; none for an account without a password. */
  async deviceCookies(email: string): Promise<Cookies> {
    const passwordHash = await findPasswordHash(this.db, email);
    return passwordHash === null ? [] : [this.devices.cookie(email, passwordHash)];
  }

  /** Mails a notice about what has happened. */
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
