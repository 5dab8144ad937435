import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import Type from "typebox";
import { type AuditAction, auditActions } from "../../resources/audit/actions.ts";
import { type AccountsAuditEntry, listAllAudit } from "../../resources/audit/all-entries.ts";
import { type AuditAuthor, isOperator } from "../../resources/audit/queries.ts";
import { readMoment } from "../moment.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import {
  AccountReference,
  accountReferences,
  before,
  closed,
  listLimit,
  next,
  orNull,
  pageOf,
  text,
  time,
} from "./shapes.ts";

const actions = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

const AdminAudit = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          time,
          action: Type.String({ description: "For programs: api_key.created." }),
          what: Type.String({ description: "For people: API key created." }),
          subject: Type.String({ description: "What it was done to; empty for the account itself." }),
          account: AccountReference,
          by: Type.Enum(["owner", "operator", "command"], {
            description: "The account's owner, an operator in the portal, or a command.",
          }),
          operator: orNull(AccountReference, "The operator who acted in the portal."),
          client_address: Type.String({ description: "Empty for a command." }),
          user_agent: Type.String(),
        },
        { $id: "AdminAuditEntry", ...closed },
      ),
    ),
    next,
  },
  { ...closed, description: "Newest first." },
);

/** The audit logs of all accounts. */
export const adminAuditRoutes: PortalRoute[] = [
  operatorRoute({
    operationId: "listAdminAudit",
    method: "GET",
    path: "/admin/audit",
    tag: "Operate",
    summary: "What was done with accounts, by their owners and by operators, newest first",
    query: Type.Object({
      account: Type.Optional(Type.Integer({ description: "Only in the log of this account." })),
      actor: text(15, "owners, operators (commands too), or the id of an operator's account."),
      action: Type.Optional(Type.Enum(actions, { description: "Only this action." })),
      from: text(40, "Entries from then on, ISO 8601."),
      to: text(40, "Entries before then, ISO 8601."),
      before,
    }),
    response: AdminAudit,
    handle: async ({ db, query }) => {
      const found = await listAllAudit(db, {
        userId: query.account,
        actor: readActor(query.actor),
        action: query.action,
        from: readMoment("from", query.from),
        to: readMoment("to", query.to),
        beforeId: query.before,
        limit: listLimit + 1,
      });
      const page = pageOf(found);
      const accountOf = await accountReferences(
        db,
        page.items.flatMap(({ userId, author }) => [userId, operatorOf(author) ?? []].flat()),
      );
      return { entries: page.items.map((entry) => entryJson(entry, accountOf)), next: page.next };
    },
  }),
];

function readActor(actor: string | undefined): number | "operators" | "owners" | undefined {
  if (actor === undefined || actor === "operators" || actor === "owners") return actor;
  if (/^\d{1,15}$/.test(actor)) return Number(actor);
  throw invalidRequest("The actor parameter must be owners, operators, or the id of an account.", "actor");
}

/** The operator who acted in the portal. */
const operatorOf = (author: AuditAuthor): number | null =>
  author !== "operator" && isOperator(author) ? author.operatorId : null;

function entryJson(
  { id, time: at, action, subject, author, userId }: AccountsAuditEntry,
  accountOf: Awaited<ReturnType<typeof accountReferences>>,
) {
  const operatorId = operatorOf(author);
  return {
    id,
    time: at.toISOString(),
    action,
    what: auditActions[action],
    subject,
    account: accountOf(userId),
    by: author === "operator" ? ("command" as const) : operatorId === null ? ("owner" as const) : ("operator" as const),
    operator: operatorId === null ? null : accountOf(operatorId),
    client_address: author === "operator" ? "" : author.clientAddress,
    user_agent: author === "operator" ? "" : author.userAgent,
  };
}
