import Type from "typebox";
import type { Account, SessionPermission } from "../../access/account.ts";
import { auditActions } from "../../resources/audit/actions.ts";
import { isOperator, listAudit } from "../../resources/audit/queries.ts";
import { findAccountNames } from "../../resources/users/all-accounts.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const limit = 30;

const AuditList = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          time: Type.String({ format: "date-time" }),
          action: Type.String({ description: "For programs: api_key.created." }),
          what: Type.String({ description: "For people: API key created." }),
          subject: Type.String({ description: "What it was done to; empty for the account itself." }),
          by: Type.Enum(["portal", "operator"], { description: "Who did it: the signed-in person, or the operator." }),
          person: Type.Union([Type.String(), Type.Null()], {
            description:
              "The address of the member who acted as the organisation; null for others, and for deleted accounts.",
          }),
          client_address: Type.String({ description: "Empty for the operator." }),
          user_agent: Type.String(),
        },
        { $id: "AuditEntry", ...closed },
      ),
      { description: "Newest first." },
    ),
    next: Type.Union([Type.Integer(), Type.Null()], { description: "What `before` takes for older ones." }),
  },
  closed,
);

/** Creates a route that lists the audit log of the call's account. */
export const auditRoute = ({
  requires,
  ...row
}: {
  operationId: string;
  permission: SessionPermission;
  path: string;
  tag: string;
  summary: string;
  refusals?: readonly 409[];
  /** Throws for an account that has no such log. */
  requires?: (account: Account) => unknown;
}): PortalRoute =>
  portalRoute({
    ...row,
    method: "GET",
    query: Type.Object({ before: Type.Optional(Type.Integer({ description: "Only older entries than this one." })) }),
    response: AuditList,
    handle: async ({ db, account, query }) => {
      requires?.(account);
      const entries = await listAudit(db, account.userId, { limit, beforeId: query.before });
      const people = entries.flatMap(({ author }) =>
        isOperator(author) || author.personId === undefined ? [] : [author.personId],
      );
      const names = await findAccountNames(db, people);
      return {
        entries: entries.map(({ id, time, action, subject, author }) => ({
          id,
          time: time.toISOString(),
          action,
          what: auditActions[action],
          subject,
          // The account's log hides which operator acted, and from which address.
          by: isOperator(author) ? ("operator" as const) : ("portal" as const),
          person: isOperator(author) ? null : (names.get(author.personId ?? 0)?.email ?? null),
          client_address: isOperator(author) ? "" : author.clientAddress,
          user_agent: isOperator(author) ? "" : author.userAgent,
        })),
        next: entries.length === limit ? (entries.at(-1)?.id ?? null) : null,
      };
    },
  });

/** The audit log of an account, with its keys and webhooks. */
export const auditRoutes: PortalRoute[] = [
  auditRoute({
    operationId: "listAudit",
    permission: "self",
    path: "/audit",
    tag: "Account",
    summary: "What was done with the account, its keys and its webhooks",
  }),
];
