import { forgetAuthenticator } from "@beatmarket/authentication/authenticator-rows.ts";
import { type Client, networkOf } from "@beatmarket/authentication/limits.ts";
import { conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Account } from "../../access/account.ts";
import type { Queryable } from "../../database/connect.ts";
import type { AuditAction } from "../../resources/audit/actions.ts";
import { lockUser } from "../../resources/audit/lock-user.ts";
import { firstTimeOf } from "../../resources/audit/queries.ts";
import { credentialNames, endCredentialsSince } from "../../resources/credentials/credentials.ts";
import { findAccount } from "../../resources/users/accounts.ts";
import { changeAddress, findAccountById, findAccountId, findPasswordHash, replacePassword } from "./account-rows.ts";
import { type AuthContext, deadLink, wrongPassword } from "./context.ts";
import { createMailLink, findMailLink, forgetAccountLinks, forgetMailLinks, useMailLink } from "./mail-links.ts";
import {
  addressHasAccountMail,
  addressRestoredMail,
  changeEmailMail,
  emailChangedMail,
  emailUndoneMail,
} from "./mails.ts";
import { forgetPasskeys } from "./second-factor/passkeys.ts";

/**
 * The undo of a change of address also removes the factors and credentials that were added after the change, or within
 * this time before the change.
 */
const suspectMs = 86_400_000;

/**
 * Changes of an account's address. A link in the new mailbox confirms a change. A link in the old mailbox undoes the
 * change for seven days. Neither responses nor their timing reveal whether an address is registered.
 */
export class EmailChanges {
  readonly #context: AuthContext;

  constructor(context: AuthContext) {
    this.#context = context;
  }

  /**
   * Mails a link to the new address. An address that has an account gets a mail that says so instead. Throws 409 for
   * the present address.
   */
  async request(account: Account, email: string, client: Client): Promise<void> {
    const { db, clock, limits, mailQueue, settings } = this.#context;
    if (email === account.email) throw conflict("This is the address of your account already.");
    await limits.countRegistration(email, client);
    mailQueue.enqueue({
      write: async () => {
        const isTaken = (await findAccountId(db, email)) !== null || (await findAccount(db, email)) !== null;
        if (isTaken) return { to: email, ...addressHasAccountMail(settings.publicUrl) };
        const token = await transact(db, async (transaction) => {
          // Only one change is open at a time.
          await forgetMailLinks(transaction, { email, accountId: account.id });
          return createMailLink(transaction, { purpose: "change-email", email, accountId: account.id }, clock.nowMs());
        });
        return { to: email, ...changeEmailMail(settings.publicUrl, token) };
      },
    });
    await this.#context.audit(db, account.userId, "account.email_change_asked", client, email);
  }

  /**
   * Gives the account the address to which a link was mailed. Also requires the account's password, because a mistyped
   * address may be a stranger's mailbox. Throws 400 for a dead link, 401 for a wrong password, 409 if the address now
   * has an account.
   */
  async confirm(token: string, password: string, client: Client): Promise<void> {
    const { db, clock, hashing, limits, settings } = this.#context;
    hashing.requireRoom(networkOf(client));
    await limits.countLink(client);
    const link = await findMailLink(db, "change-email", token, clock.nowMs());
    const requester = link && (await findAccountById(db, link.accountId));
    if (link === null || requester === null) throw deadLink("Ask for the change again.");
    await limits.countLinkPassword(link.email);
    if (!(await this.#context.verify(await findPasswordHash(db, requester.email), password, client)))
      throw wrongPassword("This is not the password of the account that requested this address.");
    const { former, undoToken } = await transact(db, async (transaction) => {
      const account = await findAccountById(transaction, link.accountId);
      if (account === null || !(await useMailLink(transaction, token, link.email)))
        throw deadLink("It was used just now.");
      await changeAddress(transaction, account, link.email, this.#context.now);
      // Revokes the links that were mailed to the former address.
      await forgetMailLinks(transaction, { email: account.email, accountId: account.id });
      await this.#context.audit(transaction, account.userId, "account.email_changed", client, link.email);
      const undo = { purpose: "undo-email", email: account.email, accountId: account.id } as const;
      return { former: account.email, undoToken: await createMailLink(transaction, undo, clock.nowMs()) };
    });
    this.#context.notify(former, emailChangedMail(settings.publicUrl, undoToken));
  }

  /**
   * Restores the former address of an account. Sets a new password, because the person who changed the address may know
   * the old password. Ends all sessions, and removes authenticators and passkeys that were added since shortly before
   * the change. Also revokes the keys and disables the endpoints created in this time, and lists them in a mail to the
   * former address. Throws 400 for a dead link, 409 if the address has an account.
   */
  async undo(token: string, password: string, client: Client): Promise<void> {
    const { db, clock, hashing, limits, settings } = this.#context;
    hashing.requireRoom(networkOf(client));
    await limits.countLink(client);
    const link = await findMailLink(db, "undo-email", token, clock.nowMs());
    if (link === null) throw deadLink("Ask the operator for help.");
    const passwordHash = await this.#context.hash(password, client);
    const undone = await transact(db, async (transaction) => {
      const account = await findAccountById(transaction, link.accountId);
      if (account === null || !(await useMailLink(transaction, token, link.email)))
        throw deadLink("It was used just now.");
      await changeAddress(transaction, account, link.email, this.#context.now);
      await forgetMailLinks(transaction, { email: account.email });
      await forgetAccountLinks(transaction, account.id);
      await lockUser(transaction, account.userId);
      await replacePassword(transaction, account.id, passwordHash, this.#context.now);
      const notBefore = new Date(link.createdAt.getTime() - suspectMs);
      await forgetAuthenticator(transaction, account.id, notBefore);
      await forgetPasskeys(transaction, account.id, notBefore);
      const suspect = { userId: account.userId, cause: "undo", notBefore } as const;
      const endedCredentials = await endSuspectCredentials(this.#context, transaction, suspect, client);
      await this.#context.audit(transaction, account.userId, "account.email_undone", client, link.email);
      return { ...account, ended: endedCredentials };
    });
    this.#context.notify(undone.email, emailUndoneMail(settings.publicUrl));
    this.#context.notify(link.email, addressRestoredMail(settings.publicUrl, undone.ended));
  }
}

/** The audited actions by which a thief may have entered or taken over an account. */
export const suspectActions = {
  reset: ["account.signed_in_on_new_device"],
  undo: ["account.signed_in_on_new_device", "account.email_change_asked"],
} as const satisfies Record<string, readonly AuditAction[]>;

/**
 * Revokes the keys and disables the endpoints that a person created since the first suspect action after `notBefore`,
 * in the person's account and in organisations. Call this after the sessions have ended, under the lock of the user.
 * Returns the names of the revoked credentials.
 */
export async function endSuspectCredentials(
  { now }: Pick<AuthContext, "now">,
  transaction: Queryable,
  { userId, cause, notBefore }: { userId: number; cause: keyof typeof suspectActions; notBefore: Date },
  { author }: Pick<Client, "author">,
): Promise<string[]> {
  const since = await firstTimeOf(transaction, userId, suspectActions[cause], notBefore);
  if (since === null) return [];
  const reason = "Created while another person may have used the account of its creator.";
  const endedCredentials = await endCredentialsSince(transaction, userId, since, {
    author: { ...author, personId: userId },
    now,
    reason,
  });
  return credentialNames(endedCredentials);
}
