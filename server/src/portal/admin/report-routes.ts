import Type, { type Static } from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { rejectReport, sendNotice, upholdReport } from "../../resources/reports/decide.ts";
import { listReports, type QueuedReport, reportReasons, reportStates } from "../../resources/reports/report.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import {
  AccountReference,
  accountReferences,
  before,
  closed,
  iso,
  listLimit,
  next,
  orNull,
  pageOf,
  reason,
  time,
  timeOrNull,
} from "./shapes.ts";

const tag = "Operate";
const ReportId = Type.Object({ report_id: Type.Integer({ description: "Identifier of the report." }) });
const reasons = Object.keys(reportReasons) as [keyof typeof reportReasons, ...(keyof typeof reportReasons)[]];

const AdminReport = Type.Object(
  {
    id: Type.Integer(),
    beat: Type.Object({ id: Type.Integer(), title: Type.String(), is_taken_down: Type.Boolean() }, closed),
    producer: AccountReference,
    producer_name: Type.String(),
    producer_upheld: Type.Integer({ description: "The number of upheld reports against beats of this producer." }),
    reason: Type.Enum(reasons),
    details: orNull(Type.String(), "What the reporter wrote. Null once it is erased."),
    email: orNull(Type.String(), "The reporter's e-mail address. Null once it is erased."),
    state: Type.Enum([...reportStates]),
    is_due: Type.Boolean({
      description: "Whether the report waits for the operator: it is open, or a deadline has passed.",
    }),
    created_at: time,
    noticed_at: timeOrNull("When the notice was sent. Null before that."),
    counter_until: timeOrNull("The producer's deadline for a counter-notice. Null before the notice is sent."),
    counter: orNull(Type.String(), "The producer's counter-notice."),
    countered_at: timeOrNull("When the producer countered. Null without a counter-notice."),
    decide_until: timeOrNull("The deadline for the decision on a countered report."),
    decision: orNull(Type.String(), "The reason that both sides get. Null before the decision."),
    decided_at: timeOrNull("When the report was decided. Null before the decision."),
  },
  { $id: "AdminReport", ...closed },
);

const AdminReports = Type.Object(
  { reports: Type.Array(AdminReport), next },
  { ...closed, description: "The newest report comes first." },
);

/** The queue of reported beats, and the operators' decisions. */
export const adminReportRoutes = (publicUrl: string): PortalRoute[] => [
  operatorRoute({
    operationId: "listAdminReports",
    method: "GET",
    path: "/admin/reports",
    tag,
    summary: "List reports of beats, newest first; without `state`, only undecided ones",
    query: Type.Object({
      state: Type.Optional(
        Type.Enum([...reportStates, "all"], { description: "Only reports in this state. `all` selects every state." }),
      ),
      producer: Type.Optional(Type.Integer({ description: "Only reports of beats of this account." })),
      beat: Type.Optional(Type.Integer({ description: "Only reports of this beat." })),
      before,
    }),
    response: AdminReports,
    handle: async ({ db, clock, query: { state, producer: producerId, beat: beatId, before: beforeId } }) => {
      const now = new Date(clock.nowMs());
      const filter = { state, producerId, beatId, beforeId, limit: listLimit + 1, now };
      const page = pageOf(await listReports(db, filter));
      return { reports: await reportsJson(db, page.items), next: page.next };
    },
  }),
  operatorRoute({
    operationId: "sendReportNotice",
    method: "POST",
    path: "/admin/reports/:report_id/notice",
    tag,
    summary: "Send the notice of a report to the producer, who may counter it within 14 days",
    params: ReportId,
    status: 204,
    response: Type.Void(),
    refusals: [409],
    handle: ({ db, clock, params, author }) => sendNotice({ db, clock, publicUrl }, params.report_id, author),
  }),
  operatorRoute({
    operationId: "upholdReport",
    method: "POST",
    path: "/admin/reports/:report_id/uphold",
    tag,
    summary: "Uphold a report after the producer was heard: the beat is taken down, and both sides get a mail",
    params: ReportId,
    body: Type.Object({
      reason,
      withdraw_files: Type.Boolean({
        default: false,
        description: "Whether buyers lose access to the files of the beat.",
      }),
    }),
    status: 204,
    response: Type.Void(),
    refusals: [409],
    changesContent: () => true,
    handle: ({ db, clock, params, body, author }) =>
      upholdReport(
        { db, clock, publicUrl },
        { reportId: params.report_id, reason: body.reason, withdrawFiles: body.withdraw_files, author },
      ),
  }),
  operatorRoute({
    operationId: "rejectReport",
    method: "POST",
    path: "/admin/reports/:report_id/reject",
    tag,
    summary: "Reject a report: the reporter gets a mail, and so does the producer if a notice was sent",
    params: ReportId,
    body: Type.Object({ reason }),
    status: 204,
    response: Type.Void(),
    refusals: [409],
    handle: ({ db, clock, params, body, author }) =>
      rejectReport({ db, clock, publicUrl }, { reportId: params.report_id, reason: body.reason, author }),
  }),
];

async function reportsJson(db: Queryable, reports: readonly QueuedReport[]): Promise<Static<typeof AdminReport>[]> {
  const accountOf = await accountReferences(
    db,
    reports.map(({ producer_id }) => producer_id),
  );
  return reports.map(({ beat_id, title, is_taken_down, producer_id, language: _, ...report }) => ({
    ...report,
    beat: { id: beat_id, title, is_taken_down },
    producer: accountOf(producer_id),
    created_at: report.created_at.toISOString(),
    noticed_at: iso(report.noticed_at),
    counter_until: iso(report.counter_until),
    countered_at: iso(report.countered_at),
    decide_until: iso(report.decide_until),
    decided_at: iso(report.decided_at),
  }));
}
