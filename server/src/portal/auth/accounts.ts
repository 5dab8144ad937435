import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/connection/connect.ts";
import { transact } from "../../database/connection/transaction.ts";
import { ApiError, conflict, invalidRequest } from "../../errors.ts";
import { onFirstUse } from "../../first-use.ts";
import type { Account } from "../../http/admission/account.ts";
import type { AuditAction } from "../../resources/audit/actions.ts";
import { recordAudit } from "../../resources/audit/queries.ts";
import { findAccount } from "../../resources/users/accounts.ts";
import {
  createAccount,
  findAccountId,
  findPasswordHash,
  lockAddress,
  replacePassword,
  userIdOf,
} from "./account-rows.ts";
import type { Attempts } from "./attempts.ts";
import type { AuthSettings, PortalAuth } from "./better-auth.ts";
import { KnownDevices } from "./known-devices.ts";
import { AccountLimits, type Client, networkOf } from "./limits.ts";
import {
  createMailLink,
  createResetLink,
  findMailLink,
  forgetMailLink,
  forgetMailLinks,
  useMailLink,
} from "./mail-links.ts";
import type { MailQueue } from "./mail-queue.ts";
import { alreadyRegisteredMail, confirmationMail, newDeviceMail, passwordChangedMail, resetMail } from "./mails.ts";
import { PasswordHashing } from "./password-hashing.ts";
import { endExcessSessions, sessionCookie, sessionEnd } from "./sessions.ts";

export interface AccountsParts {
  db: Queryable;
  clock: Clock;
  settings: AuthSettings;
  attempts: Attempts;
  mailQueue: MailQueue;
}

/** The Set-Cookie headers of a sign-in. */
type Cookies = readonly string[];

/**
 * Registration, sign-in and passwords of the portal. Neither responses nor their timing reveal whether an address is
 * registered (docs/security.md).
 */
export class Accounts {
  readonly #parts: AccountsParts;
  readonly #devices: KnownDevices;
  readonly #limits: AccountLimits;
  readonly #hashing = new PasswordHashing();
  #shared: { secrets: string; auth: () => Promise<PortalAuth> } | null = null;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
    this.#devices = new KnownDevices(parts.settings.secrets, parts.clock);
    this.#limits = new AccountLimits(parts.attempts, this.#devices);
  }

  /** The account of a session; null without one, or if it has ended. Extends a session in use with a new cookie. */
  async find(headers: Headers, setCookies: (cookies: Cookies) => void): Promise<Account | null> {
    if (headers.get("cookie")?.includes(`${sessionCookie}=`) !== true) return null;
    const { response: found, headers: responseHeaders } = await (await this.#auth()).api.getSession({
      headers,
      returnHeaders: true,
    });
    if (found !== null && sessionEnd(found.session.createdAt).getTime() <= this.#parts.clock.nowMs()) {
      await this.#endSession(found.session.token);
      return null;
    }
    setCookies(responseHeaders.getSetCookie());
    if (found === null) return null;
    const { id, name, email, marketplaceUserId } = found.user;
    return { id, name, email, userId: marketplaceUserId, signedInAt: found.session.createdAt };
  }

  /** Mails a link that confirms the registration, or, if the address is registered, a mail that says so. */
  async register(request: { email: string; name: string; password: string }, client: Client): Promise<void> {
    const { db, clock, mailQueue, settings } = this.#parts;
    const { email, name, password } = request;
    this.#hashing.requireRoom(networkOf(client));
    await this.#limits.countRegistration(email, client);
    // Before anybody has looked the address up: it takes as long for all.
    const { password: passwords } = await (await this.#auth()).$context;
    const passwordHash = await this.#hashing.run(networkOf(client), () => passwords.hash(password));
    mailQueue.enqueue({
      write: async () => {
        if ((await findAccountId(db, email)) !== null)
          return { to: email, ...alreadyRegisteredMail(settings.publicUrl) };
        const token = await createMailLink(db, { purpose: "register", email, name, passwordHash }, clock.nowMs());
        return { to: email, ...confirmationMail(settings.publicUrl, token) };
      },
    });
  }

  /**
   * Creates the account of a registration, and signs in. Takes the password with the link: otherwise, a stranger could
   * register a victim's address, and the victim's click would create an account with the stranger's password.
   */
  async confirm(token: string, password: string, client: Client): Promise<Cookies> {
    const { db, clock } = this.#parts;
    this.#hashing.requireRoom(networkOf(client));
    await this.#limits.countLink(client);
    const link = await findMailLink(db, "register", token, clock.nowMs());
    if (link === null) throw deadLink("Register again to get a new one; if you confirmed already, sign in.");
    const { email, passwordHash } = link;
    await this.#limits.countLinkPassword(email);
    const { password: passwords } = await (await this.#auth()).$context;
    if (!(await this.#hashing.run(networkOf(client), () => passwords.verify({ hash: passwordHash, password }))))
      throw wrongPassword("This is not the password that you chose when you registered.");
    const accountId = await transact(db, async (transaction) => {
      if (!(await useMailLink(transaction, token, email))) throw deadLink("It was used just now: sign in.");
      await lockAddress(transaction, email);
      if ((await findAccountId(transaction, email)) !== null) throw deadLink("The account exists by now: sign in.");
      return this.#create(transaction, link, client, "account.registered");
    });
    return this.#openSession(accountId, client, this.#devices.cookie(email, passwordHash));
  }

  /** Counts the opening of a mailed link that is no account's own. 429 beyond the limit of its network. */
  countLink(client: Client): Promise<void> {
    return this.#limits.countLink(client);
  }

  /**
   * Signs in and ends the previous session; also how somebody signed in authenticates again. 401 for a wrong address or
   * password, without saying which.
   */
  async signIn(email: string, password: string, client: Client): Promise<Cookies> {
    const { db, mailQueue, settings } = this.#parts;
    this.#hashing.requireRoom(networkOf(client), this.#devices.isSigned(email, client.headers));
    const isKnownDevice = await this.#limits.countSignIn(email, client, () => findPasswordHash(db, email));
    const { headers } = client;
    const { api } = await this.#auth();
    const former = await api.getSession({ headers });
    const signedIn = await this.#hashing
      .run(
        networkOf(client),
        () => api.signInEmail({ body: { email, password }, headers, returnHeaders: true }),
        isKnownDevice,
      )
      .catch((error: { statusCode?: number }) => {
        if (error.statusCode === 401) throw wrongPassword("The e-mail address or the password is wrong.");
        throw error;
      });
    const accountId = signedIn.response.user.id;
    await this.#limits.forgetSignIns(email, client);
    await this.#endSession(former?.session.token);
    await endExcessSessions(db, accountId);
    await this.#audit(db, await userIdOf(db, accountId), "account.signed_in", client);
    if (!isKnownDevice)
      mailQueue.notify(async () =>
        (await this.#limits.admitsDeviceMail(email)) ? { to: email, ...newDeviceMail(settings.publicUrl) } : null,
      );
    return [...signedIn.headers.getSetCookie(), ...(await this.#deviceCookies(email))];
  }

  /**
   * Signs in to an account that needs no password: the demo's, in demo mode. Not audited: the demo's visitors would read
   * one another's addresses, and anybody could fill the log.
   */
  async signInAsDemo(email: string, client: Client): Promise<Cookies> {
    await this.#limits.countOpenSignIn(client);
    const accountId = await transact(this.#parts.db, async (transaction) => {
      await lockAddress(transaction, email);
      const known = await findAccountId(transaction, email);
      return known ?? this.#create(transaction, { email, name: "Demo", passwordHash: null }, client, null);
    });
    return this.#openSession(accountId, client);
  }

  /** Ends the session. Returns the Set-Cookie headers that remove its cookie. */
  async signOut(account: Account, client: Client): Promise<Cookies> {
    const { headers } = await (await this.#auth()).api.signOut({ headers: client.headers, returnHeaders: true });
    await this.#audit(this.#parts.db, account.userId, "account.signed_out", client);
    return headers.getSetCookie();
  }

  /** Changes the password and ends every other session and mailed link. 401 for a wrong one, 409 for an account without any. */
  async changePassword(
    account: Account,
    passwords: { current: string; next: string },
    client: Client,
  ): Promise<Cookies> {
    const { db } = this.#parts;
    const { email, userId } = account;
    await this.#limits.countSessionPassword(userId);
    const change = async (transaction: Queryable) => {
      const changed = await (await this.#authOn(transaction)).api
        .changePassword({
          body: { currentPassword: passwords.current, newPassword: passwords.next, revokeOtherSessions: true },
          headers: client.headers,
          returnHeaders: true,
        })
        .catch((error: { body?: { code?: string } }) => {
          if (error.body?.code === "INVALID_PASSWORD") throw wrongPassword("The current password is wrong.");
          if (error.body?.code === "CREDENTIAL_ACCOUNT_NOT_FOUND")
            throw conflict("This account has no password: it is shared by everyone who tries the demo.");
          throw error;
        });
      await forgetMailLinks(transaction, email);
      await this.#audit(transaction, userId, "account.password_changed", client);
      return changed.headers.getSetCookie();
    };
    const cookies = await this.#hashing.run(networkOf(client), () => transact(db, change));
    await this.#limits.forgetSessionPasswords(userId);
    this.#notifyOfPassword(email);
    return [...cookies, ...(await this.#deviceCookies(email))];
  }

  /**
   * Mails a link to choose a new password, if the address belongs to any account; also one that has no password yet.
   * Requests soon after a mail send no other: the link in it still works.
   */
  async requestReset(email: string, client: Client): Promise<void> {
    const { db, clock, mailQueue, settings } = this.#parts;
    await this.#limits.countResetRequest(client);
    let token: string | null = null;
    mailQueue.enqueue({
      write: async () => {
        const isKnown = (await findAccountId(db, email)) !== null || (await findAccount(db, email)) !== null;
        token = isKnown ? await createResetLink(db, email, clock.nowMs()) : null;
        return token === null ? null : { to: email, ...resetMail(settings.publicUrl, token) };
      },
      undo: async () => {
        if (token !== null) await forgetMailLink(db, token);
      },
    });
  }

  /**
   * Sets a new password with a mailed link, ends every session, and signs in. Also sets the first password of an account
   * that an operator created: access to the mailbox proves ownership.
   */
  async reset(token: string, password: string, client: Client): Promise<Cookies> {
    const { db, clock } = this.#parts;
    this.#hashing.requireRoom(networkOf(client));
    await this.#limits.countLink(client);
    const link = await findMailLink(db, "reset", token, clock.nowMs());
    if (link === null) throw deadLink("Ask for a new one.");
    const { email } = link;
    const { password: passwords } = await (await this.#auth()).$context;
    const passwordHash = await this.#hashing.run(networkOf(client), () => passwords.hash(password));
    const accountId = await transact(db, async (transaction) => {
      if (!(await useMailLink(transaction, token, email))) throw deadLink("It was used just now.");
      await lockAddress(transaction, email);
      const known = await findAccountId(transaction, email);
      if (known === null) {
        const name = (await findAccount(transaction, email))?.display_name ?? email;
        return this.#create(transaction, { email, name, passwordHash }, client, "account.registered");
      }
      await replacePassword(await this.#authOn(transaction), known, passwordHash);
      await this.#audit(transaction, await userIdOf(transaction, known), "account.password_reset", client);
      return known;
    });
    await this.#limits.forgetSignIns(email, client);
    this.#notifyOfPassword(email);
    return this.#openSession(accountId, client, this.#devices.cookie(email, passwordHash));
  }

  /** Better Auth over the pool; another one when the secrets have changed. */
  #auth(): Promise<PortalAuth> {
    const secrets = this.#parts.settings.secrets().join();
    if (this.#shared?.secrets !== secrets)
      this.#shared = { secrets, auth: onFirstUse(() => this.#authOn(this.#parts.db)) };
    return this.#shared.auth();
  }

  /**
   * Better Auth over the pool or one transaction. Loaded on first use, so that a server without portal users saves its
   * memory.
   */
  async #authOn(db: Queryable): Promise<PortalAuth> {
    const { portalAuth } = await import("./better-auth.ts");
    const { publicUrl, secrets } = this.#parts.settings;
    return portalAuth(db, this.#parts.clock, { publicUrl, secrets: secrets() });
  }

  async #create(
    transaction: Queryable,
    request: { email: string; name: string; passwordHash: string | null },
    client: Client,
    action: AuditAction | null,
  ): Promise<string> {
    const { accountId, userId } = await createAccount(transaction, await this.#authOn(transaction), request);
    if (action !== null) await this.#audit(transaction, userId, action, client);
    return accountId;
  }

  /** Opens a session in place of the one that the request came with. */
  async #openSession(accountId: string, { headers }: Client, ...deviceCookies: Cookies): Promise<Cookies> {
    const former = await (await this.#auth()).api.getSession({ headers });
    await this.#endSession(former?.session.token);
    const opened = await (await this.#auth()).api.openSession({ body: { accountId }, returnHeaders: true });
    await endExcessSessions(this.#parts.db, accountId);
    return [...opened.headers.getSetCookie(), ...deviceCookies];
  }

  async #endSession(token: string | undefined): Promise<void> {
    if (token === undefined) return;
    const { internalAdapter } = await (await this.#auth()).$context;
    await internalAdapter.deleteSession(token);
  }

  async #deviceCookies(email: string): Promise<Cookies> {
    const passwordHash = await findPasswordHash(this.#parts.db, email);
    return passwordHash === null ? [] : [this.#devices.cookie(email, passwordHash)];
  }

  #notifyOfPassword(email: string): void {
    const { mailQueue, settings } = this.#parts;
    mailQueue.notify(async () => ({ to: email, ...passwordChangedMail(settings.publicUrl) }));
  }

  async #audit(db: Queryable, userId: number, action: AuditAction, { author }: Client): Promise<void> {
    await recordAudit(db, { userId, action, author, at: new Date(this.#parts.clock.nowMs()) });
  }
}

const wrongPassword = (details: string): ApiError =>
  new ApiError(401, "unauthorized", "Wrong password", details, { refusedBy: "password" });

const deadLink = (next: string): ApiError =>
  invalidRequest(`This link does not work any more: it was used, or it is too old. ${next}`, "token");
