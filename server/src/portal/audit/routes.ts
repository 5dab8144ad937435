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
          action: Type.String({ description: "The name of the action for programs, such as `api_key.created`." }),
          what: Type.String({ description: 'The name of the action for people, such as "API key created".' }),
          subject: Type.String({ description: "The object of the action. Empty if it is the account." }),
          by: Type.Enum(["portal", "operator"], { description: "Who acted: the signed-in person, or the operator." }),
          person: Type.Union([Type.String(), Type.Null()], {
            description:
              "The e-mail address of the member who acted as the organisation. Null for other entries and for deleted accounts.",
          }),
          client_address: Type.String({ description: "The address of the client. Empty for actions of the operator." }),
          user_agent: Type.String(),
        },
        { $id: "AuditEntry", ...closed },
      ),
      { description: "The newest entry comes first." },
    ),
    next: Type.Union([Type.Integer(), Type.Null()], { description: "The `before` of the page with older entries." }),
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
    query: Type.Object({ before: Type.Optional(Type.Integer({ description: "Only entries older than this one." })) }),
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

/** The audit log of an account, which includes actions on its keys and webhooks. */
export const auditRoutes: PortalRoute[] = [
  auditRoute({
    operationId: "listAudit",
    permission: "self",
    path: "/audit",
    tag: "Account",
    summary: "List the actions on the account, its keys and its webhooks, newest first",
  }),
];
