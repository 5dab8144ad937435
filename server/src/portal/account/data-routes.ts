import { Readable } from "node:stream";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import Type from "typebox";
import type { Account } from "../../access/account.ts";
import type { PublishingContext } from "../../resources/beats/publishing/own-beats.ts";
import { type Erasure, eraseUser } from "../../resources/personal-data/erase.ts";
import { exportUser } from "../../resources/personal-data/export.ts";
import { deleteAccount, exportAccount } from "../auth/account-rows.ts";
import type { Accounts } from "../auth/accounts.ts";
import { emailField, readEmail } from "../auth/fields.ts";
import { type PortalRoute, portalHeaders, portalRoute, requireOwnAccount } from "../route.ts";
import { requireStepUp } from "../step-up.ts";

export const dataRoutes = (
  accounts: Accounts,
  demoEmail: string | null,
  publishing: PublishingContext,
): PortalRoute[] => [
  portalRoute({
    operationId: "eraseAccount",
    permission: "self",
    method: "POST",
    path: "/account/erasure",
    tag: "Account",
    summary: "Delete the account at once and permanently",
    body: Type.Object({ email: emailField }),
    status: 204,
    response: Type.Void(),
    refusals: [409],
    needsStepUp: true,
    changesContent: () => true,
    handle: async ({ account, body, requestId, setCookies, db, ...client }) => {
      requireOwnAccount(account, demoEmail);
      if (readEmail(body.email) !== account.email)
        throw invalidRequest(`Type the address of this account, ${account.email}, to delete it.`, "email");
      await eraseAccount({ ...publishing, db }, { userId: account.userId, author: client.author, requestId });
      setCookies(await accounts.deleted(account, client));
    },
  }),
];

/**
 * All data of the account as a JSON file. The data are read in parts while the response is sent. `operationId` is null
 * because the portal's OpenAPI document does not describe files.
 */
export const accountExport = (accounts: Accounts, demoEmail: string | null): Route => ({
  operationId: null,
  method: "POST",
  path: "/account/export",
  query: Type.Object({}),
  access: { by: "session", required: true, permission: "self" },
  headers: portalHeaders,
  waits: true,
  handle: async ({ db, clock, context, underPermit, ...call }) => {
    // The route requires a session.
    const account = call.account as Account;
    requireOwnAccount(account, demoEmail);
    requireStepUp(account, clock);
    const author = { clientAddress: context.clientAddress, userAgent: context.requestHeaders["user-agent"] ?? "" };
    const portal = await underPermit(async () => {
      await accounts.exported(account, { author, headers: context.webHeaders });
      return exportAccount(db, account.userId);
    });
    const text = exportUser(db, account.userId, {
      now: new Date(clock.nowMs()),
      account: portal ?? {},
      run: underPermit,
    });
    return {
      status: 200,
      headers: {
        "content-type": "application/json",
        "content-disposition": 'attachment; filename="beat-marketplace-account.json"',
      },
      body: Readable.from(text, { objectMode: false }),
    };
  },
  // `handle` has already made the response.
  respond: (response) => response as never,
});

/**
 * Erases an account in the portal and the marketplace, in one transaction (docs/privacy.md). Returns the erased e-mail
 * address, or null if the user had no account in the portal. Throws 409 like `eraseUser`.
 */
export const eraseAccount = (context: PublishingContext, erasure: Erasure): Promise<string | null> =>
  transact(context.db, async (transaction) => {
    const email = await deleteAccount(transaction, erasure.userId);
    await eraseUser({ ...context, db: transaction }, erasure);
    return email;
  });
