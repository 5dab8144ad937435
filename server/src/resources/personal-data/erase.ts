import { conflict } from "@beatmarket/foundation/errors.ts";
import { deleteEndpointsOf } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import type { Queryable } from "../../database/connect.ts";
import { revokeKeysOf } from "../api-keys/queries.ts";
import { lockUserAgainstReferences } from "../audit/lock-user.ts";
import { type AuditAuthor, eraseAudit, isOperator, recordAudit } from "../audit/queries.ts";
import { eraseDraftDefaults } from "../beats/publishing/draft-defaults.ts";
import type { PublishingContext } from "../beats/publishing/own-beats.ts";
import { withdrawBeat } from "../beats/publishing/withdraw-beat.ts";
import { stored } from "../beats/state.ts";
import { eraseCheckouts } from "../checkouts/checkout-watch.ts";
import { eraseClaims } from "../claims/claims.ts";
import { eraseContacts } from "../contacts/messages.ts";
import { endCredentialsElsewhere } from "../credentials/credentials.ts";
import { eraseDiscounts } from "../discounts/discounts.ts";
import { eraseFavorites } from "../favorites/favorites.ts";
import { eraseFollows } from "../follows/follows.ts";
import { eraseFreeDownloads } from "../free-downloads/free-downloads.ts";
import { eraseBilling } from "../invoices/billing.ts";
import { eraseLibrary } from "../libraries/libraries.ts";
import { eraseUsage } from "../licenses/usage/report-usage.ts";
import { eraseLimitRequests } from "../limit-requests/requests.ts";
import { eraseMails } from "../mails/outbox.ts";
import { eraseBuyer, hasPendingOrder } from "../orders/queries.ts";
import { eraseMemberships, findSoleOrganisations } from "../organisations/erase.ts";
import { erasePayoutAccount } from "../payouts/payout-accounts.ts";
import { erasePlaylists } from "../playlists/playlists.ts";
import { eraseReports } from "../reports/report.ts";
import { eraseSandboxes } from "../sandboxes/queries.ts";
import { eraseViews } from "../saved-views/queries.ts";
import { eraseShares } from "../splits/splits.ts";
import { eraseTakedownAnswers } from "../takedowns/take-down.ts";
import { eraseFilenames } from "../uploads/queries.ts";
import { listJoinedProducers } from "../users/joining.ts";
import { eraseProfile } from "../users/profile.ts";

/** The user to erase, and the author of the erasure. */
export interface Erasure {
  userId: number;
  author: AuditAuthor;
  /** Null for an operator's command. */
  requestId: string | null;
}

/**
 * Erases a user's data, and removes the name from data that has to stay (docs/privacy.md, What is erased). Revokes
 * keys, deletes endpoints and withdraws beats. Does everything in the transaction `context.db`. Erases organisations of
 * which the user is the only member. Requests that were admitted before and run later fail, because the account is
 * deleted (lockUser). Throws 409 if the user is the only owner of an organisation with other members. Throws 409 while
 * an order of the user is pending, and while a buyer is paying for the exclusive license of one of the user's beats.
 */
export async function eraseUser(context: PublishingContext, { userId, author, requestId }: Erasure): Promise<void> {
  const { db: transaction, clock } = context;
  const now = new Date(clock.nowMs());
  await lockUserAgainstReferences(transaction, userId);
  for (const organisationId of await findSoleOrganisations(transaction, userId))
    await eraseUser(context, { userId: organisationId, author, requestId });
  if (await hasPendingOrder(transaction, userId))
    throw conflict("An order of this account is being paid. Finish or decline it, then delete the account.");
  await revokeKeysOf(transaction, userId, now);
  await eraseSandboxes(transaction, userId, now);
  await deleteEndpointsOf(transaction, userId);
  for (const beatId of await findWithdrawableBeats(transaction, userId))
    await withdrawBeat(context, { beatId, userId, requestId, ifMatch: undefined });
  await eraseBuyer(transaction, userId);
  await eraseUsage(transaction, userId);
  await eraseContacts(transaction, userId);
  await eraseLimitRequests(transaction, userId);
  await eraseReports(transaction, userId);
  await eraseTakedownAnswers(transaction, userId);
  await eraseCheckouts(transaction, userId, now);
  await eraseLibrary(transaction, userId);
  await eraseFreeDownloads(transaction, userId);
  await eraseFavorites(transaction, userId);
  await eraseFollows(transaction, userId);
  await erasePlaylists(transaction, userId);
  await eraseViews(transaction, userId);
  await eraseDiscounts(transaction, userId, now);
  await eraseDraftDefaults(transaction, userId, now);
  await eraseFilenames(transaction, userId);
  await eraseShares(transaction, userId, now);
  await erasePayoutAccount(transaction, userId);
  await eraseBilling(transaction, userId);
  await eraseMails(transaction, userId);
  await eraseClaims(transaction, userId);
  await endCredentialsElsewhere(transaction, userId, {
    author: isOperator(author) ? author : { ...author, personId: userId },
    now,
    reason: "The account of the member who made this endpoint was deleted.",
  });
  await eraseMemberships(transaction, userId);
  for (const id of [...(await listJoinedProducers(transaction, userId)), userId])
    await eraseProfile(transaction, { userId: id, requestId, now });
  await eraseAudit(transaction, userId);
  // The operator must be able to prove later that the account was erased, and when.
  await recordAudit(transaction, {
    userId,
    action: "account.erased",
    author: "operator",
    subject: authorText(author),
    at: now,
  });
}

const authorText = (author: AuditAuthor): string => (author === "operator" ? "by the operator" : "by its owner");

async function findWithdrawableBeats(transaction: Queryable, userId: number): Promise<number[]> {
  const rows = await transaction
    .selectFrom("beats")
    .leftJoin("beat_productions", "beat_id", "beats.id")
    .select("beats.id")
    .where("user_id", "=", userId)
    .where(({ eb, or }) =>
      or([eb("is_listed", "=", true), eb("is_suspended", "=", true), eb("stage", "<>", stored.published.stage)]),
    )
    .orderBy("beats.id")
    .execute();
  return rows.map(({ id }) => id);
}
