import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import type { DiskName } from "../../metrics/storage.ts";
import {
  type Figure,
  limitRequestsFigure,
  reportsFigure,
  salesFigure,
  signUpsFigure,
  uploadsFigure,
} from "../../resources/operations/activity.ts";
import {
  backupsVerdict,
  deliveriesVerdict,
  endpointsVerdict,
  jobsVerdict,
  limitsVerdict,
  mailsVerdict,
  paymentsVerdict,
  payoutsVerdict,
  spaceVerdict,
  type Verdict,
} from "../../resources/operations/verdicts.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import { closed, orNull } from "./shapes.ts";

export interface OverviewParts {
  folders: Partial<Record<DiskName, string>>;
  /** The state of the shared rate limits; null if the service uses no Redis. */
  limits: { readonly problem: string | null } | null;
  /** The state of the backups; null if BACKUP_VAULT is not set. */
  backups: { readonly backedUpAt: Date | null; readonly archivedUntil: Date | null } | null;
}

const Overview = Type.Object(
  {
    figures: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The name of the figure, such as "Sales".' }),
          value: orNull(Type.String(), "The number as text. Null for a figure that has a state but no number."),
          state: Type.Enum(["ok", "warning", "wrong", "unused"]),
          detail: Type.String({ description: "The state as a sentence." }),
          remedy: orNull(Type.String(), "What the operator can do. Null if there is nothing to do."),
          page: orNull(
            Type.String(),
            "The path of the portal page where the operator can act. Null if there is no such page.",
          ),
        },
        { $id: "OverviewFigure", ...closed },
      ),
    ),
  },
  {
    ...closed,
    description: 'A figure counts at most 10,000 rows. If there are more, its value begins with "at least".',
  },
);

/** Current figures and problems in one response. The states are the same as in `beatmarket doctor`. */
export const adminOverviewRoutes = ({ folders, limits, backups }: OverviewParts): PortalRoute[] => [
  operatorRoute({
    operationId: "getAdminOverview",
    method: "GET",
    path: "/admin/overview",
    tag: "Operate",
    summary:
      "Get the figures of the service: sales, registrations, uploads, queues, disks, backups, and what waits for an operator",
    response: Overview,
    handle: async ({ db, clock }) => {
      const now = new Date(clock.nowMs());
      const sourceFigures = await Promise.all(
        sources(db, now).map(async ({ figure, ...fields }) => ({ ...fields, ...(await figure) })),
      );
      const instanceFigures = [
        { name: "Disk", page: null, value: null, verdict: await spaceVerdict(folders) },
        { name: "Backups", page: null, value: null, verdict: backupsVerdict(backups, now) },
        { name: "Limits", page: null, value: null, verdict: limitsVerdict(limits) },
      ];
      return {
        figures: [...sourceFigures, ...instanceFigures].map(({ verdict, ...fields }) => ({
          ...fields,
          ...verdict,
          state: verdict.state === "unchecked" ? ("unused" as const) : verdict.state,
        })),
      };
    },
  }),
];

const stateOf = async (verdict: Promise<Verdict>): Promise<Omit<Figure, "value"> & { value: null }> => ({
  value: null,
  verdict: await verdict,
});

const sources = (db: Queryable, now: Date) => [
  { name: "Sales", page: "/admin/orders", figure: salesFigure(db, now) },
  { name: "Sign-ups", page: "/admin/accounts", figure: signUpsFigure(db, now) },
  { name: "Uploads", page: "/admin/beats", figure: uploadsFigure(db, now) },
  { name: "Open reports", page: "/admin/reports", figure: reportsFigure(db, now) },
  { name: "Requests for limits", page: "/admin/accounts", figure: limitRequestsFigure(db, now) },
  { name: "Payouts", page: "/admin/payouts", figure: stateOf(payoutsVerdict(db, now)) },
  { name: "Open payments", page: "/admin/orders", figure: stateOf(paymentsVerdict(db, now)) },
  { name: "Mails", page: null, figure: stateOf(mailsVerdict(db, now)) },
  { name: "Webhook deliveries", page: "/admin/webhooks", figure: stateOf(deliveriesVerdict(db, now)) },
  { name: "Webhook endpoints", page: "/admin/webhooks", figure: stateOf(endpointsVerdict(db)) },
  { name: "Media jobs", page: null, figure: stateOf(jobsVerdict(db, now)) },
];
