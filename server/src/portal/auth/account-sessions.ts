import { deviceName } from "@beatmarket/authentication/known-devices.ts";
import type { Client } from "@beatmarket/authentication/limits.ts";
import { endSession, endSessions, listSessions } from "@beatmarket/authentication/sessions.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Account } from "../../access/account.ts";
import type { AuthContext } from "./context.ts";

/** A session, as the account's page shows it. */
export interface ListedSession {
  id: string;
  /** The browser and system in words, such as `Firefox on Linux`. */
  device: string;
  clientAddress: string;
  signedInAt: Date;
  lastSeenAt: Date;
  isCurrent: boolean;
}

/** The open sessions of an account. Ending a session requires no recent sign-in, because it can do no harm. */
export class AccountSessions {
  readonly #context: AuthContext;

  constructor(context: AuthContext) {
    this.#context = context;
  }

  /** The open sessions: the present session first, then the most recently used. */
  async list({ id, sessionId }: Account): Promise<ListedSession[]> {
    const sessions = await listSessions(this.#context.db, id, this.#context.now);
    return sessions
      .map((session) => ({
        id: session.id,
        device: deviceName(session.user_agent),
        clientAddress: session.client_address,
        signedInAt: session.signed_in_at,
        lastSeenAt: session.last_seen_at,
        isCurrent: session.id === sessionId,
      }))
      .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  }

  /** Ends a session. Throws 404 if the account has no such session. */
  async end(account: Account, sessionId: string, client: Client): Promise<void> {
    await transact(this.#context.db, async (transaction) => {
      const endedSession = await endSession(transaction, account.id, sessionId);
      if (endedSession === null) throw notFound("There is no such session; perhaps it has ended.");
      const subject = deviceName(endedSession.userAgent);
      await this.#context.audit(transaction, account.userId, "account.session_ended", client, subject);
    });
  }

  /** Ends every session except the present one. Returns the number of ended sessions. */
  async endOthers(account: Account, client: Client): Promise<number> {
    return transact(this.#context.db, async (transaction) => {
      const count = await endSessions(transaction, account.id, account.sessionId);
      if (count > 0)
        await this.#context.audit(transaction, account.userId, "account.sessions_ended", client, `${count} sessions`);
      return count;
    });
  }
}
