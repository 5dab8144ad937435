import { hasAuthenticator } from "@beatmarket/authentication/authenticator-rows.ts";
import { type Client, networkOf } from "@beatmarket/authentication/limits.ts";
import { sessionCookie } from "@beatmarket/authentication/session-cookie.ts";
import { conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Account } from "../../access/account.ts";
import { localeOf } from "../../access/reader-locale.ts";
import type { Queryable } from "../../database/connect.ts";
import type { AuditAction } from "../../resources/audit/actions.ts";
import { lockUser } from "../../resources/audit/lock-user.ts";
import { addToBasket, basketInCookies, formatBasket, parseBasket } from "../../resources/checkouts/basket.ts";
import { findMembership } from "../../resources/organisations/members.ts";
import { findAccount } from "../../resources/users/accounts.ts";
import { rememberLanguage } from "../../resources/users/mail-preferences.ts";
import { findStanding, requireActive } from "../../resources/users/standing.ts";
import {
  createAccount,
  findAccountId,
  findPasswordHash,
  lockAddress,
  replacePassword,
  userIdOf,
} from "./account-rows.ts";
import { AccountSessions } from "./account-sessions.ts";
import { type AccountsParts, AuthContext, type Cookies, deadLink, wrongPassword } from "./context.ts";
import { EmailChanges, endSuspectCredentials } from "./email-changes.ts";
import {
  createMailLink,
  createResetLink,
  findMailLink,
  forgetMailLink,
  forgetMailLinks,
  useMailLink,
} from "./mail-links.ts";
import {
  accountDeletedMail,
  alreadyRegisteredMail,
  confirmationMail,
  exportMail,
  keyFromNewDeviceMail,
  passwordChangedMail,
  resetMail,
} from "./mails.ts";
import { Organisations } from "./organisations.ts";
import { Authenticators } from "./second-factor/authenticators.ts";
import { Passkeys } from "./second-factor/passkeys.ts";

/**
 * A sign-in on a new device within this time before a reset of the password is suspect: a thief may have signed in.
 */
const suspectResetMs = 30 * 86_400_000;

/**
 * Registration, sign-in and passwords of the portal. Neither responses nor their timing reveal whether an address is
 * registered (docs/security.md).
 */
export class Accounts {
  readonly emails: EmailChanges;
  readonly sessions: AccountSessions;
  readonly authenticators: Authenticators;
  readonly passkeys: Passkeys;
  readonly organisations: Organisations;
  readonly #context: AuthContext;

  constructor(parts: AccountsParts) {
    this.#context = new AuthContext(parts);
    this.emails = new EmailChanges(this.#context);
    this.sessions = new AccountSessions(this.#context);
    this.authenticators = new Authenticators(this.#context);
    this.passkeys = new Passkeys(this.#context);
    this.organisations = new Organisations(this.#context);
  }

  /**
   * The account of a request's session; null without an open session, and for a suspended person. Extends a session in
   * use with a new cookie.
   */
  async find(headers: Headers, setCookies: (cookies: Cookies) => void): Promise<Account | null> {
    if (headers.get("cookie")?.includes(`${sessionCookie}=`) !== true) return null;
    const { session, cookies } = await this.#context.useSession(headers);
    setCookies(cookies);
    if (session === null) return null;
    const { accountId, personId, name, email, actingAs, isNewDevice, hasSecondFactor, signedInAt } = session;
    const { isOperator, suspension } = await findStanding(this.#context.db, personId);
    // A sign-in that began before a suspension may open a session after it.
    if (suspension !== null) return null;
    // Each request reads the membership, so that a removed member can no longer act as the organisation.
    const organisation = actingAs === null ? null : await findMembership(this.#context.db, actingAs, personId);
    return {
      userId: organisation?.userId ?? personId,
      organisation,
      personId,
      id: accountId,
      name,
      email,
      isOperator,
      sessionId: session.id,
      isNewDevice,
      hasSecondFactor,
      signedInAt,
    };
  }

  /** Mails a link that confirms the registration. A registered address gets a mail that says so instead. */
  async register(
    request: { email: string; name: string; password: string; next?: string | undefined },
    client: Client,
  ): Promise<void> {
    const { db, clock, mailQueue, settings, hashing, limits } = this.#context;
    const { email, name, password, next } = request;
    const { language } = localeOf(client.headers);
    const basket = formatBasket(basketInCookies(client.headers.get("cookie") ?? "")) || null;
    hashing.requireRoom(networkOf(client));
    await limits.countRegistration(email, client);
    // The password is hashed before the look-up of the address, so that the response takes equally long for all
    // addresses.
    const passwordHash = await this.#context.hash(password, client);
    mailQueue.enqueue({
      write: async () => {
        if ((await findAccountId(db, email)) !== null)
          return { to: email, ...alreadyRegisteredMail(settings.publicUrl, next) };
        const link = { purpose: "register", email, name, passwordHash, basket } as const;
        const token = await createMailLink(db, link, clock.nowMs());
        return { to: email, language, ...confirmationMail(settings.publicUrl, token, next) };
      },
    });
  }

  /**
   * Creates the account of a registration, and signs in. Requires the password with the link. Otherwise, a stranger
   * could register a victim's address, and the victim's click would create an account with the stranger's password.
   */
  async confirm(token: string, password: string, client: Client): Promise<Cookies> {
    const { db, clock, hashing, limits } = this.#context;
    hashing.requireRoom(networkOf(client));
    await limits.countLink(client);
    const link = await findMailLink(db, "register", token, clock.nowMs());
    if (link === null) throw deadLink("Register again to get a new one; if you confirmed already, sign in.");
    const { email, passwordHash } = link;
    await limits.countLinkPassword(email);
    if (!(await this.#context.verify(passwordHash, password, client)))
      throw wrongPassword("This is not the password that you chose when you registered.");
    const accountId = await transact(db, async (transaction) => {
      if (!(await useMailLink(transaction, token, email))) throw deadLink("It was used just now: sign in.");
      await lockAddress(transaction, email);
      if ((await findAccountId(transaction, email)) !== null) throw deadLink("The account exists by now: sign in.");
      return this.#create(transaction, link, client, "account.registered");
    });
    return this.#context.openSession(accountId, client, {}, this.#context.devices.cookie(email, passwordHash));
  }

  /**
   * Counts a use of a mailed link that another module handles, such as the link of a claim. Throws 429 above the limit
   * of the client's network.
   */
  countLink(client: Client): Promise<void> {
    return this.#context.limits.countLink(client);
  }

  /**
   * Signs in and ends the previous session. A signed-in person authenticates again in the same way. Throws the same 401
   * for a wrong address and a wrong password. With the right password, throws 401 with a challenge if the account's
   * authenticator requires a code, and 403 for a suspended account.
   */
  async signIn(
    { email, password, code }: { email: string; password: string; code?: string | undefined },
    client: Client,
  ): Promise<Cookies> {
    const { db, hashing, devices, limits } = this.#context;
    hashing.requireRoom(networkOf(client), devices.isSigned(email, client.headers));
    const isKnownDevice = await limits.countSignIn(email, client, () => findPasswordHash(db, email));
    const passwordHash = await findPasswordHash(db, email);
    const isRight = await this.#context.verify(passwordHash, password, client, isKnownDevice);
    const accountId = isRight ? await findAccountId(db, email) : null;
    if (accountId === null) throw wrongPassword("The e-mail address or the password is wrong.");
    const attempt = { accountId, email, isKnownDevice };
    const hasSecondFactor = await this.authenticators.requireCode(attempt, code, client);
    await limits.forgetSignIns(email, client);
    return this.#context.signedIn({ ...attempt, hasSecondFactor }, client);
  }

  /**
   * Signs in to the demo account, which needs no password. Writes no audit entry: the visitors of the demo would read
   * one another's network addresses, and anyone could fill the log.
   */
  async signInAsDemo(email: string, client: Client): Promise<Cookies> {
    await this.#context.limits.countOpenSignIn(client);
    const accountId = await transact(this.#context.db, async (transaction) => {
      await lockAddress(transaction, email);
      const accountId = await findAccountId(transaction, email);
      return accountId ?? this.#create(transaction, { email, name: "Demo", passwordHash: null }, client, null);
    });
    return this.#context.openSession(accountId, client);
  }

  /** Ends the session. Returns the Set-Cookie headers that remove its cookie. */
  async signOut(account: Account, client: Client): Promise<Cookies> {
    const cookies = await this.#context.endSession(client.headers);
    await this.#context.audit(this.#context.db, account.userId, "account.signed_out", client);
    return cookies;
  }

  /**
   * Changes the password, ends every other session, and revokes mailed links. Throws 401 for a wrong password, 409 for
   * an account without a password.
   */
  async changePassword(
    account: Account,
    passwords: { current: string; next: string },
    client: Client,
  ): Promise<Cookies> {
    const { db, limits } = this.#context;
    const { id, email, userId } = account;
    await limits.countSessionPassword(userId);
    const formerHash = await findPasswordHash(db, email);
    if (formerHash === null)
      throw conflict("This account has no password: it is shared by everyone who tries the demo.");
    if (!(await this.#context.verify(formerHash, passwords.current, client)))
      throw wrongPassword("The current password is wrong.");
    const passwordHash = await this.#context.hash(passwords.next, client);
    await transact(db, async (transaction) => {
      await replacePassword(transaction, id, passwordHash, this.#context.now);
      await forgetMailLinks(transaction, { email, accountId: id });
      await this.#context.audit(transaction, userId, "account.password_changed", client);
    });
    await limits.forgetSessionPasswords(userId);
    this.#notifyOfPassword(email);
    return this.#context.openSession(id, client, {}, this.#context.devices.cookie(email, passwordHash));
  }

  /**
   * Mails a link to choose a new password, if the address belongs to an account, even an account without a password. A
   * request within ten minutes of the last mail sends no mail, because the earlier link still works.
   */
  async requestReset({ email, next }: { email: string; next?: string | undefined }, client: Client): Promise<void> {
    const { db, clock, mailQueue, settings } = this.#context;
    await this.#context.limits.countResetRequest(client);
    let token: string | null = null;
    mailQueue.enqueue({
      write: async () => {
        const isKnown = (await findAccountId(db, email)) !== null || (await findAccount(db, email)) !== null;
        token = isKnown ? await createResetLink(db, email, clock.nowMs()) : null;
        return token === null ? null : { to: email, ...resetMail(settings.publicUrl, token, next) };
      },
      undo: async () => {
        if (token !== null) await forgetMailLink(db, token);
      },
    });
  }

  /**
   * Sets a new password with a mailed link, and ends every session. Signs in unless the account has an authenticator.
   * Also sets the first password of an account that an operator created, because the mailbox proves ownership.
   *
   * If a new device signed in during the last 30 days, revokes the keys and disables the endpoints created since that
   * sign-in. `keepsCredentials` prevents this.
   */
  async reset(
    { token, password, keepsCredentials }: { token: string; password: string; keepsCredentials: boolean },
    client: Client,
  ): Promise<Cookies> {
    const { db, clock, hashing, limits } = this.#context;
    hashing.requireRoom(networkOf(client));
    await limits.countLink(client);
    const link = await findMailLink(db, "reset", token, clock.nowMs());
    if (link === null) throw deadLink("Ask for a new one.");
    const { email } = link;
    const passwordHash = await this.#context.hash(password, client);
    const { accountId, ended: endedCredentials } = await transact(db, async (transaction) => {
      if (!(await useMailLink(transaction, token, email))) throw deadLink("It was used just now.");
      await lockAddress(transaction, email);
      const accountId = await findAccountId(transaction, email);
      if (accountId === null) {
        const name = (await findAccount(transaction, email))?.display_name;
        const created = { email, name, passwordHash };
        return { accountId: await this.#create(transaction, created, client, "account.registered"), ended: [] };
      }
      const userId = await userIdOf(transaction, accountId);
      await requireActive(transaction, userId);
      await lockUser(transaction, userId);
      await replacePassword(transaction, accountId, passwordHash, this.#context.now);
      await this.#context.audit(transaction, userId, "account.password_reset", client);
      if (keepsCredentials) return { accountId: accountId, ended: [] };
      const suspect = { userId, cause: "reset", notBefore: new Date(clock.nowMs() - suspectResetMs) } as const;
      return { accountId: accountId, ended: await endSuspectCredentials(this.#context, transaction, suspect, client) };
    });
    await limits.forgetSignIns(email, client);
    this.#notifyOfPassword(email, endedCredentials);
    // Access to the mailbox replaces the password, but not the second factor.
    if (await hasAuthenticator(db, accountId)) return [];
    return this.#context.openSession(accountId, client, {}, this.#context.devices.cookie(email, passwordHash));
  }

  /**
   * Counts an export of the account's data, writes an audit entry, and mails the owner. Throws 429 above five exports
   * an hour.
   */
  async exported(account: Account, client: Client): Promise<void> {
    const { db, limits, settings } = this.#context;
    await limits.countExport(account.userId);
    await this.#context.audit(db, account.userId, "account.exported", client);
    this.#context.notify(account.email, exportMail(settings.publicUrl, client.author));
  }

  /** Mails the address of an erased account. Returns the Set-Cookie headers that remove the cookies of the browser. */
  async deleted(account: Account, client: Client): Promise<Cookies> {
    this.#context.notify(account.email, accountDeletedMail(this.#context.settings.publicUrl));
    return this.#context.endSession(client.headers);
  }

  /** Mails the owner about a key that an unknown browser created or rotated. */
  notifyKeyCreated(account: Account, client: Pick<Client, "author">): void {
    if (!account.isNewDevice) return;
    this.#context.notify(account.email, keyFromNewDeviceMail(this.#context.settings.publicUrl, client.author));
  }

  async #create(
    transaction: Queryable,
    request: { email: string; name: string | undefined; passwordHash: string | null; basket?: string | null },
    client: Client,
    action: AuditAction | null,
  ): Promise<string> {
    const { accountId, userId } = await createAccount(transaction, request, this.#context.now);
    await rememberLanguage(transaction, userId, localeOf(client.headers).language);
    if (request.basket) await addToBasket(transaction, userId, parseBasket(request.basket), this.#context.now);
    await requireActive(transaction, userId);
    if (action !== null) await this.#context.audit(transaction, userId, action, client);
    return accountId;
  }

  #notifyOfPassword(email: string, endedCredentials: readonly string[] = []): void {
    this.#context.notify(email, passwordChangedMail(this.#context.settings.publicUrl, endedCredentials));
  }
}
