import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/connection/connect.ts";
import { transact } from "../../database/connection/transaction.ts";
import { ApiError, conflict, invalidRequest } from "../../errors.ts";
import { onFirstUse } from "../../first-use.ts";
import type { Account } from "../../http/admission/account.ts";
import { clientNetwork } from "../../http/admission/client-network.ts";
import type { AuditAction } from "../../resources/audit/actions.ts";
import { type AuditAuthor, recordAudit } from "../../resources/audit/queries.ts";
import { findAccount, findOrCreateAccount } from "../../resources/users/accounts.ts";
import { type AttemptLimit, countAttempt, forgetAttempts } from "./attempts.ts";
import type { AuthSettings, PortalAuth } from "./better-auth.ts";
import { createMailLink, findMailLink, forgetMailLinks, useMailLink } from "./mail-links.ts";
import type { MailQueue } from "./mail-queue.ts";
import { alreadyRegisteredMail, confirmationMail, resetMail } from "./mails.ts";

export interface AccountsParts {
  db: Queryable;
  clock: Clock;
  settings: AuthSettings;
  mailQueue: MailQueue;
}

type Author = Exclude<AuditAuthor, "operator">;

/** The Set-Cookie headers of a sign-in. */
type Cookies = readonly string[];

const quarterOfAnHour = 900;
const hour = 3_600;
const limits = {
  signInOfAccount: { limit: 10, windowSeconds: quarterOfAnHour },
  signInFromNetwork: { limit: 100, windowSeconds: quarterOfAnHour },
  mailToAddress: { limit: 5, windowSeconds: hour },
  mailFromNetwork: { limit: 30, windowSeconds: hour },
  linkOpening: { limit: 10, windowSeconds: quarterOfAnHour },
  passwordOfSession: { limit: 10, windowSeconds: quarterOfAnHour },
} as const satisfies Record<string, AttemptLimit>;

/**
 * Registration, sign-in and passwords of the portal. Neither responses nor their timing reveal whether an address is
 * registered (docs/security.md).
 */
export class Accounts {
  readonly #parts: AccountsParts;
  #shared: { secrets: string; auth: () => Promise<PortalAuth> } | null = null;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
  }

  /** The account of a session; null without one, or if it has ended. Extends a session in use with a new cookie. */
  async find(headers: Headers, setCookies: (cookies: Cookies) => void): Promise<Account | null> {
    if (headers.get("cookie")?.includes("session_token=") !== true) return null;
    const { response: session, headers: responseHeaders } = await (await this.#auth()).api.getSession({
      headers,
      returnHeaders: true,
    });
    setCookies(responseHeaders.getSetCookie());
    if (session === null) return null;
    const { id, name, email, marketplaceUserId } = session.user;
    return { id, name, email, userId: marketplaceUserId };
  }

  /** Mails a link that confirms the registration, or, if the address is registered, a mail that says so. */
  async register(request: { email: string; name: string; password: string }, author: Author): Promise<void> {
    const { db, clock, mailQueue, settings } = this.#parts;
    const { email, name, password } = request;
    await this.#countMail(email, author);
    mailQueue.enqueue(async () => {
      const { password: passwords } = await (await this.#auth()).$context;
      const passwordHash = await passwords.hash(password);
      if (await this.#isRegistered(email)) return { to: email, ...alreadyRegisteredMail(settings.publicUrl) };
      const token = await createMailLink(db, { purpose: "register", email, name, passwordHash }, clock.nowMs());
      return { to: email, ...confirmationMail(settings.publicUrl, token) };
    });
  }

  /**
   * Creates the account of a registration, and signs in. Takes the password with the link: otherwise, a stranger could
   * register a victim's address, and the victim's click would create an account with the stranger's password.
   */
  async confirm(token: string, password: string, headers: Headers, author: Author): Promise<Cookies> {
    const { db, clock } = this.#parts;
    await this.#count(`opening of links from ${clientNetwork(author.clientAddress)}`, limits.signInFromNetwork);
    const link = await findMailLink(db, "register", token, clock.nowMs());
    if (link === null) throw deadLink("Register again to get a new one; if you confirmed already, sign in.");
    await this.#count(`registration of ${link.email}`, limits.linkOpening);
    const { password: passwords } = await (await this.#auth()).$context;
    if (!(await passwords.verify({ hash: link.passwordHash, password })))
      throw wrongPassword("This is not the password that you chose when you registered.");
    const accountId = await transact(db, async (transaction) => {
      if (!(await useMailLink(transaction, token, link.email))) throw deadLink("It was used just now: sign in.");
      await lockAddress(transaction, link.email);
      if ((await this.#findId(transaction, link.email)) !== null) throw deadLink("The account exists by now: sign in.");
      return this.#make(transaction, link, author, "account.registered");
    });
    return this.#openSession(accountId, headers);
  }

  /** Signs in and ends the previous session. 401 for a wrong address or password, without saying which. */
  async signIn(email: string, password: string, headers: Headers, author: Author): Promise<Cookies> {
    const { db } = this.#parts;
    await this.#count(`sign-in from ${clientNetwork(author.clientAddress)}`, limits.signInFromNetwork);
    await this.#count(signInOf(email), limits.signInOfAccount);
    const former = await (await this.#auth()).api.getSession({ headers });
    const signedIn = await (await this.#auth()).api
      .signInEmail({ body: { email, password }, headers, returnHeaders: true })
      .catch((error: { statusCode?: number }) => {
        if (error.statusCode === 401) throw wrongPassword("The e-mail address or the password is wrong.");
        throw error;
      });
    await forgetAttempts(db, signInOf(email));
    await this.#endSession(former?.session.token);
    await this.#recordSignIn(signedIn.response.user.id, author);
    return signedIn.headers.getSetCookie();
  }

  /** Signs in to an account that needs no password: the demo's, in demo mode. */
  async signInAsDemo(email: string, headers: Headers, author: Author): Promise<Cookies> {
    const { db } = this.#parts;
    await this.#count(`sign-in from ${clientNetwork(author.clientAddress)}`, limits.signInFromNetwork);
    const accountId = await transact(db, async (transaction) => {
      await lockAddress(transaction, email);
      const known = await this.#findId(transaction, email);
      return known ?? this.#make(transaction, { email, name: "Demo", passwordHash: null }, author, null);
    });
    await this.#recordSignIn(accountId, author);
    return this.#openSession(accountId, headers);
  }

  /** Ends the session. Returns the Set-Cookie headers that remove its cookie. */
  async signOut(account: Account, headers: Headers, author: Author): Promise<Cookies> {
    const { headers: responseHeaders } = await (await this.#auth()).api.signOut({ headers, returnHeaders: true });
    await this.#audit(this.#parts.db, account.userId, "account.signed_out", author);
    return responseHeaders.getSetCookie();
  }

  /** Changes the password and ends every other session and mailed link. 401 for a wrong one, 409 for an account without any. */
  async changePassword(
    account: Account,
    passwords: { current: string; next: string },
    headers: Headers,
    author: Author,
  ): Promise<Cookies> {
    const { db } = this.#parts;
    await this.#count(`password of account ${account.userId}`, limits.passwordOfSession);
    const cookies = await transact(db, async (transaction) => {
      const changed = await (await this.#authOn(transaction)).api
        .changePassword({
          body: { currentPassword: passwords.current, newPassword: passwords.next, revokeOtherSessions: true },
          headers,
          returnHeaders: true,
        })
        .catch((error: { body?: { code?: string } }) => {
          if (error.body?.code === "INVALID_PASSWORD") throw wrongPassword("The current password is wrong.");
          if (error.body?.code === "CREDENTIAL_ACCOUNT_NOT_FOUND")
            throw conflict("This account has no password: it is shared by everyone who tries the demo.");
          throw error;
        });
      await forgetMailLinks(transaction, account.email);
      await this.#audit(transaction, account.userId, "account.password_changed", author);
      return changed.headers.getSetCookie();
    });
    await forgetAttempts(db, `password of account ${account.userId}`);
    return cookies;
  }

  /** Sends a link to choose a new password, if the address belongs to any account; also one that has no password yet. */
  async requestReset(email: string, author: Author): Promise<void> {
    const { db, clock, mailQueue, settings } = this.#parts;
    await this.#countMail(email, author);
    mailQueue.enqueue(async () => {
      const isKnown = (await this.#isRegistered(email)) || (await findAccount(db, email)) !== null;
      if (!isKnown) return null;
      const token = await createMailLink(db, { purpose: "reset", email }, clock.nowMs());
      return { to: email, ...resetMail(settings.publicUrl, token) };
    });
  }

  /**
   * Sets a new password with a mailed link, ends every session, and signs in. Also sets the first password of an account
   * that an operator created: access to the mailbox proves ownership.
   */
  async reset(token: string, password: string, headers: Headers, author: Author): Promise<Cookies> {
    const { db, clock } = this.#parts;
    await this.#count(`opening of links from ${clientNetwork(author.clientAddress)}`, limits.signInFromNetwork);
    const link = await findMailLink(db, "reset", token, clock.nowMs());
    if (link === null) throw deadLink("Ask for a new one.");
    const { password: passwords } = await (await this.#auth()).$context;
    const passwordHash = await passwords.hash(password);
    const accountId = await transact(db, async (transaction) => {
      if (!(await useMailLink(transaction, token, link.email))) throw deadLink("It was used just now.");
      await lockAddress(transaction, link.email);
      const known = await this.#findId(transaction, link.email);
      if (known === null) {
        const owner = await findAccount(transaction, link.email);
        const name = owner?.display_name ?? link.email;
        return this.#make(transaction, { email: link.email, name, passwordHash }, author, "account.registered");
      }
      await this.#replacePassword(transaction, known, passwordHash);
      await this.#audit(transaction, await this.#userIdOf(transaction, known), "account.password_reset", author);
      return known;
    });
    await forgetAttempts(db, signInOf(link.email));
    return this.#openSession(accountId, headers);
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
    return portalAuth(db, { publicUrl, secrets: secrets() });
  }

  /** Makes the account and, where the address has none, the marketplace user with its event, all in one transaction. */
  async #make(
    transaction: Queryable,
    { email, name, passwordHash }: { email: string; name: string; passwordHash: string | null },
    author: Author,
    action: AuditAction | null,
  ): Promise<string> {
    const user = await findOrCreateAccount(transaction, { email, name });
    const { internalAdapter } = await (await this.#authOn(transaction)).$context;
    const made = await internalAdapter.createUser(
      { email, name, emailVerified: true, marketplaceUserId: user.id },
      { method: "email-password" },
    );
    if (passwordHash !== null) await this.#addPassword(transaction, made.id, passwordHash);
    if (action !== null) await this.#audit(transaction, user.id, action, author);
    return made.id;
  }

  async #addPassword(transaction: Queryable, accountId: string, password: string): Promise<void> {
    const { internalAdapter } = await (await this.#authOn(transaction)).$context;
    await internalAdapter.linkAccount({ userId: accountId, accountId, providerId: "credential", password });
  }

  async #replacePassword(transaction: Queryable, accountId: string, password: string): Promise<void> {
    const { internalAdapter } = await (await this.#authOn(transaction)).$context;
    if ((await internalAdapter.findCredentialAccount(accountId)) === null)
      await this.#addPassword(transaction, accountId, password);
    else await internalAdapter.updatePassword(accountId, password);
    await internalAdapter.deleteUserSessions(accountId);
  }

  /** Opens a session in place of the one that the request came with. */
  async #openSession(accountId: string, headers: Headers): Promise<Cookies> {
    const former = await (await this.#auth()).api.getSession({ headers });
    await this.#endSession(former?.session.token);
    const opened = await (await this.#auth()).api.openSession({ body: { accountId }, returnHeaders: true });
    return opened.headers.getSetCookie();
  }

  async #endSession(token: string | undefined): Promise<void> {
    if (token === undefined) return;
    const { internalAdapter } = await (await this.#auth()).$context;
    await internalAdapter.deleteSession(token);
  }

  async #findId(db: Queryable, email: string): Promise<string | null> {
    const row = await db.selectFrom("portal_users").select("id").where("email", "=", email).executeTakeFirst();
    return row?.id ?? null;
  }

  async #isRegistered(email: string): Promise<boolean> {
    return (await this.#findId(this.#parts.db, email)) !== null;
  }

  async #userIdOf(db: Queryable, accountId: string): Promise<number> {
    const row = await db
      .selectFrom("portal_users")
      .select("user_id")
      .where("id", "=", accountId)
      .executeTakeFirstOrThrow();
    return row.user_id;
  }

  async #recordSignIn(accountId: string, author: Author): Promise<void> {
    const { db } = this.#parts;
    await this.#audit(db, await this.#userIdOf(db, accountId), "account.signed_in", author);
  }

  async #audit(db: Queryable, userId: number, action: AuditAction, author: Author): Promise<void> {
    await recordAudit(db, { userId, action, author, at: new Date(this.#parts.clock.nowMs()) });
  }

  async #countMail(email: string, author: Author): Promise<void> {
    await this.#count(`mails for ${clientNetwork(author.clientAddress)}`, limits.mailFromNetwork);
    await this.#count(`mails to ${mailbox(email)}`, limits.mailToAddress);
  }

  async #count(subject: string, limit: AttemptLimit): Promise<void> {
    await countAttempt(this.#parts.db, subject, limit, this.#parts.clock.nowMs());
  }
}

/** Serializes the creation of accounts by address. */
const lockAddress = (transaction: Queryable, email: string) =>
  sql`select pg_advisory_xact_lock(hashtext('portal account'), hashtext(${email}))`.execute(transaction);

/** Strips a plus-sign label: such addresses share one mailbox, so they share one limit. */
const mailbox = (email: string): string => email.replace(/\+.*@/, "@");

const signInOf = (email: string): string => `sign-in of ${email}`;

const wrongPassword = (details: string): ApiError =>
  new ApiError(401, "unauthorized", "Wrong password", details, { refusedBy: "password" });

const deadLink = (next: string): ApiError =>
  invalidRequest(`This link does not work any more: it was used, or it is too old. ${next}`, "token");
