import { type Client, networkOf } from "@beatmarket/authentication/limits.ts";
import { actAs } from "@beatmarket/authentication/sessions.ts";
import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Account } from "../../access/account.ts";
import { mayDo, type Role } from "../../access/roles.ts";
import type { Queryable } from "../../database/connect.ts";
import {
  type Credentials,
  credentialNames,
  credentialsBeyond,
  endCredentials,
} from "../../resources/credentials/credentials.ts";
import {
  acceptInvitation,
  findOffer,
  invite,
  type Offer,
  renewInvitation,
} from "../../resources/organisations/invitations.ts";
import {
  type Change,
  changeRole,
  createOrganisation,
  findMembership,
  leave,
  ownerAddresses,
  removeMember,
  transferOwnership,
} from "../../resources/organisations/members.ts";
import type { Organisation } from "../../resources/users/accounts.ts";
import { findProfile } from "../../resources/users/queries.ts";
import { createAccount, findAccountId, lockAddress } from "./account-rows.ts";
import type { AuthContext, Cookies } from "./context.ts";
import { invitationMail, organisationMail } from "./mails.ts";

/**
 * A person's actions on organisations, with the mails about these actions. Accepting an invitation requires the mailed
 * link, which proves access to the mailbox. All owners get a mail about every change of the members.
 */
export class Organisations {
  readonly #context: AuthContext;

  constructor(context: AuthContext) {
    this.#context = context;
  }

  /** Creates an organisation, and lets the session act as it. */
  async create(account: Account, name: string, client: Client): Promise<Organisation> {
    const { db, now } = this.#context;
    const organisation = await createOrganisation(db, name, { personId: account.personId, author: client.author, now });
    await actAs(db, account.sessionId, organisation.id);
    return organisation;
  }

  /** Lets the session act as the person or as one of the person's organisations. Throws 404 for any other account. */
  async actAs(account: Account, userId: number): Promise<void> {
    const { db } = this.#context;
    if (userId === account.personId) return actAs(db, account.sessionId, null);
    if ((await findMembership(db, userId, account.personId)) === null)
      throw notFound("You are not a member of this organisation. Ask one of its owners for an invitation.");
    await actAs(db, account.sessionId, userId);
  }

  /**
   * Mails an invitation. Throws 409 for the address of a member or of an invited person, 429 above the limits of mails.
   */
  async invite(account: Account, { email, role }: { email: string; role: Role }, client: Client): Promise<void> {
    const { db, limits } = this.#context;
    await limits.countRegistration(email, client);
    const token = await invite(db, this.#change(account, client), email, role);
    this.#mailInvitation(email, token);
  }

  /** Mails a new link that replaces the previous one. Throws 404 for an invitation that has ended. */
  async resend(account: Account, id: number, client: Client): Promise<void> {
    const { db, limits } = this.#context;
    const { email, token } = await transact(db, async (transaction) => {
      const renewed = await renewInvitation(transaction, this.#change(account, client), id);
      // Throws above the limit. The transaction then rolls back, so that the earlier link stays valid.
      await limits.countRegistration(renewed.email, client);
      return renewed;
    });
    this.#mailInvitation(email, token);
  }

  /** The invitation of a link, and whether the invited address has an account. Throws 400 for an unknown link. */
  async find(token: string, client: Client): Promise<Offer & { hasAccount: boolean }> {
    const { db, limits, now } = this.#context;
    await limits.countLink(client);
    const offer = await findOffer(db, token, now);
    return { ...offer, hasAccount: (await findAccountId(db, offer.email)) !== null };
  }

  /** Makes the person a member, and lets the session act as the organisation. Throws like `acceptInvitation`. */
  async accept(account: Account, token: string, client: Client): Promise<number> {
    const { db, now, limits } = this.#context;
    await limits.countLink(client);
    const { author } = client;
    const person = { userId: account.personId, email: account.email, author, now };
    const { organisationId, role } = await acceptInvitation(db, token, person);
    await actAs(db, account.sessionId, organisationId);
    await this.#notifyOwners(organisationId, joined(account.email, role));
    return organisationId;
  }

  /** Registers the invited address, accepts the invitation, and signs in. The session acts as the organisation. */
  async register(
    { token, name, password }: { token: string; name: string; password: string },
    client: Client,
  ): Promise<Cookies> {
    const { db, now, hashing, limits, devices } = this.#context;
    hashing.requireRoom(networkOf(client));
    await limits.countLink(client);
    const { email } = await findOffer(db, token, now);
    const passwordHash = await this.#context.hash(password, client);
    const { accountId, offer } = await transact(db, async (transaction) => {
      await lockAddress(transaction, email);
      if ((await findAccountId(transaction, email)) !== null)
        throw conflict(`${email} has an account already. Sign in to it, then open the link of the mail again.`);
      const { accountId, userId } = await createAccount(transaction, { email, name, passwordHash }, now);
      await this.#context.audit(transaction, userId, "account.registered", client);
      const person = { userId, email, author: client.author, now };
      return { accountId, offer: await acceptInvitation(transaction, token, person) };
    });
    await this.#notifyOwners(offer.organisationId, joined(email, offer.role));
    const device = devices.cookie(email, passwordHash);
    return this.#context.openSession(accountId, client, { actingAs: offer.organisationId }, device);
  }

  /** Throws like `changeRole` of members.ts. */
  async changeRole(account: Account, userId: number, role: Role, keep: Keep, client: Client): Promise<void> {
    const { email, suffix } = await this.#endingCredentials(account, { userId, role, keep }, client, (db, change) =>
      changeRole(db, change, userId, role),
    );
    await this.#notifyOwners(account.userId, `${email} has the role ${role} now${suffix}`, [email]);
  }

  /** Throws like `removeMember`. */
  async remove(account: Account, userId: number, keep: Keep, client: Client): Promise<void> {
    const { email, suffix } = await this.#endingCredentials(
      account,
      { userId, role: null, keep },
      client,
      (db, change) => removeMember(db, change, userId),
    );
    await this.#notifyOwners(account.userId, `${email} was removed from the members${suffix}`, [email]);
  }

  /** Ends the person's own membership. The session acts as the person again. Throws 409 for the last owner. */
  async leave(account: Account, keep: Keep, client: Client): Promise<void> {
    const { personId: userId, email } = account;
    const { suffix } = await this.#endingCredentials(
      account,
      { userId, role: null, keep },
      client,
      async (db, change) => {
        await leave(db, change);
        await actAs(db, account.sessionId, null);
        return { email };
      },
    );
    await this.#notifyOwners(account.userId, `${email} has left the members${suffix}`);
  }

  /** Throws like `transferOwnership`. */
  async transfer(account: Account, userId: number, keep: Keep, client: Client): Promise<void> {
    const former = { userId: account.personId, role: "developer", keep } as const;
    const { email, suffix } = await this.#endingCredentials(account, former, client, (db, change) =>
      transferOwnership(db, change, userId),
    );
    const change = `${email} owns it now, in place of ${account.email}${suffix}`;
    await this.#notifyOwners(account.userId, change, [account.email]);
  }

  /**
   * The credentials that a member would lose by a change to `role`. A `role` of null means the end of the membership.
   * Throws 404 unless the caller is this member or an owner.
   */
  async credentials(account: Account, userId: number, role: Role | null): Promise<Credentials> {
    const { db, now } = this.#context;
    const isOwner = account.organisation !== null && mayDo(account.organisation.role, "organisation:manage");
    const member = await findMembership(db, account.userId, userId);
    if (member === null || !(isOwner || userId === account.personId))
      throw notFound("There is no such member; perhaps they left.");
    return credentialsBeyond(db, { organisationId: account.userId, personId: userId }, role, now);
  }

  /**
   * Changes a membership. Unless `keep`, revokes in the same transaction the member's credentials that the new role
   * does not allow. `suffix` continues the sentence of a mail, and lists the credentials that were revoked or stay
   * valid.
   */
  async #endingCredentials(
    account: Account,
    { userId, role, keep }: { userId: number; role: Role | null; keep: Keep },
    client: Client,
    run: (transaction: Queryable, change: Change) => Promise<{ email: string }>,
  ): Promise<{ email: string; suffix: string }> {
    const change = this.#change(account, client);
    return transact(this.#context.db, async (transaction) => {
      const { email } = await run(transaction, change);
      const { organisationId, now } = change;
      const beyondRole = await credentialsBeyond(transaction, { organisationId, personId: userId }, role, now);
      const names = credentialNames(beyondRole).join(", ");
      if (names === "") return { email, suffix: "" };
      if (keep) return { email, suffix: `. The credentials that this member created stay valid: ${names}` };
      const reason = `The person who created this endpoint ${role === null ? "is no longer a member" : `has the role ${role} now`}.`;
      await endCredentials(transaction, beyondRole, { author: this.#byPerson(account, client), now, reason });
      return { email, suffix: `. The credentials that this member created were revoked: ${names}` };
    });
  }

  #byPerson = ({ personId }: Account, { author }: Client) => ({ ...author, personId });

  /** Mails the owners of an erased organisation, and lets the session act as the person again. */
  async erased(account: Account, { owners, username }: { owners: string[]; username: string }): Promise<void> {
    await actAs(this.#context.db, account.sessionId, null);
    this.#notify(owners, username, `it was deleted by ${account.email}`);
  }

  #change = ({ userId, personId }: Account, { author }: Client): Change => ({
    organisationId: userId,
    personId,
    author,
    now: this.#context.now,
  });

  #mailInvitation(email: string, token: string): void {
    const { mailQueue, settings } = this.#context;
    mailQueue.enqueue({ write: async () => ({ to: email, ...invitationMail(settings.publicUrl, token) }) });
  }

  async #notifyOwners(organisationId: number, change: string, others: readonly string[] = []): Promise<void> {
    const { db } = this.#context;
    const { username } = await findProfile(db, organisationId);
    this.#notify(new Set([...(await ownerAddresses(db, organisationId)), ...others]), username, change);
  }

  #notify(addresses: Iterable<string>, username: string, change: string): void {
    const { publicUrl } = this.#context.settings;
    for (const address of addresses) this.#context.notify(address, organisationMail(publicUrl, username, change));
  }
}

/** Whether a member's credentials stay valid after a change of the membership. */
type Keep = boolean;

const joined = (email: string, role: Role): string => `${email} is a member now, with the role ${role}`;
