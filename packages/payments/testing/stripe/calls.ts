import type { StripeAccount } from "./account.ts";
import { invalid, missing, StripeFault } from "./errors.ts";

/** A request to Stripe. `fields` are the parameters of the query or of the form-encoded body. */
export interface StripeCall {
  method: string;
  /** "/v1/payment_intents/pi_1/confirm" */
  path: string;
  fields: URLSearchParams;
  /** The Idempotency-Key. */
  key: string | undefined;
}

/** Carries out a call. Throws a StripeFault if Stripe would refuse it. */
export function answer(account: StripeAccount, { method, path, fields }: StripeCall): object {
  const [, version, ...rest] = path.split("/");
  const [noun, id, verb] = rest[0] === "checkout" ? [`checkout/${rest[1]}`, ...rest.slice(2)] : rest;
  const objectId = id ?? "";
  const idPart = objectId === "search" ? "search" : ":id";
  const route = [noun, ...(id === undefined ? [] : [idPart]), ...(verb === undefined ? [] : [verb])].join("/");
  if (version === "v1")
    switch (`${method} ${route}`) {
      case "POST checkout/sessions":
        return account.createSession(fields);
      case "GET checkout/sessions/:id":
        return account.expandedSession(objectId);
      case "POST checkout/sessions/:id/expire":
        return account.expireSession(objectId);
      case "POST payment_intents":
        return account.createIntent(fields);
      case "GET payment_intents/search":
        return search(account, fields);
      case "GET payment_intents/:id":
        return account.intent(objectId);
      case "POST payment_intents/:id/confirm":
        return account.confirmIntent(objectId, fields);
      case "POST payment_intents/:id/cancel":
        return account.cancelIntent(objectId);
      case "GET payment_methods/:id":
        return account.paymentMethod(objectId);
      case "POST refunds":
        return account.refund(fields);
      case "GET refunds":
        return list(path, [...account.refunds.values()].filter(ofIntent(fields)), fields);
      case "GET refunds/:id":
        return account.refunds.get(objectId) ?? throws(missing("refund", objectId, "id"));
      case "GET disputes":
        return list(path, [...account.disputes.values()].filter(ofIntent(fields)), fields);
      case "GET disputes/:id":
        return account.disputes.get(objectId) ?? throws(missing("dispute", objectId, "id"));
      case "GET charges/:id":
        return account.charges.get(objectId) ?? throws(missing("charge", objectId, "id"));
      case "GET balance_transactions":
        return balanceTransactions(account, fields);
      case "GET balance":
        return account.transfers.balance();
      case "POST transfers":
        return account.transfers.create(fields);
      case "GET transfers":
        return list(path, [...account.transfers.all.values()].filter(ofGroup(fields)), fields);
    }
  throw new StripeFault(
    404,
    { type: "invalid_request_error", message: `Unrecognized request URL (${method}: ${path}).` },
    { isStored: false },
  );
}

const ofIntent = (fields: URLSearchParams) => {
  const intentId = fields.get("payment_intent");
  return ({ payment_intent }: { payment_intent: unknown }) => intentId === null || payment_intent === intentId;
};

const ofGroup = (fields: URLSearchParams) => {
  const group = fields.get("transfer_group");
  return ({ transfer_group }: { transfer_group: string | null }) => group === null || transfer_group === group;
};

function search(account: StripeAccount, fields: URLSearchParams): object {
  const key = /^metadata\["payment_key"\]:"([^"]*)"$/.exec(fields.get("query") ?? "")?.[1];
  const data = [...account.intents.values()].filter(({ metadata }) => metadata.payment_key === key);
  return { object: "search_result", data, has_more: false, next_page: null, url: "/v1/payment_intents/search" };
}

function balanceTransactions(account: StripeAccount, fields: URLSearchParams): object {
  const number = (name: string, otherwise: number) => Number(fields.get(name) ?? otherwise);
  const from = Math.max(number("created[gte]", 0), number("created[gt]", -1) + 1);
  const until = Math.min(number("created[lt]", Infinity), number("created[lte]", Infinity) + 1);
  const type = fields.get("type");
  const expands = [...fields].filter(([name]) => name.startsWith("expand")).map(([, value]) => value);
  const rows = [...account.balanceTransactions.values()]
    .filter(({ created }) => created >= from && created < until)
    .filter((movement) => type === null || movement.type === type);
  const page = list("/v1/balance_transactions", rows, fields);
  if (!expands.some((name) => name.startsWith("data.source"))) return page;
  return {
    ...page,
    data: page.data.map((row) => ({ ...row, source: sourceOf(account, String(row.source), expands) })),
  };
}

function sourceOf(account: StripeAccount, id: string, expands: readonly string[]): object | null {
  const source = account.charges.get(id) ?? account.refunds.get(id) ?? account.disputes.get(id) ?? null;
  return source !== null && expands.includes("data.source.payment_intent")
    ? { ...source, payment_intent: account.intent(String(source.payment_intent)) }
    : source;
}

/** A page of a list, newest first, with Stripe's cursors. */
function list<T extends { id: string }>(url: string, rows: T[], fields: URLSearchParams) {
  const newestFirst = rows.toReversed();
  const limit = Number(fields.get("limit") ?? 10);
  if (limit < 1 || limit > 100) throw invalid("Invalid integer: limit", { param: "limit" });
  const after = fields.get("starting_after");
  const start = after === null ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
  const data = newestFirst.slice(start, start + limit);
  return { object: "list", url, data, has_more: start + limit < newestFirst.length };
}

function throws(fault: StripeFault): never {
  throw fault;
}
