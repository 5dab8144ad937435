import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import Type from "typebox";
import { findRun, listRuns, runJson, runStates } from "../../resources/catalogue-import/history/runs.ts";
import { operatorRoute, type PortalRoute, portalHeaders } from "../route.ts";
import { closed, orNull, time, timeOrNull } from "./shapes.ts";

const tag = "Operate";
const RunId = Type.Object({ run_id: Type.Integer({ description: "Identifier of the import." }) });
const maxShownRejects = 50;

const runFields = {
  id: Type.Integer(),
  state: Type.Enum([...runStates], {
    description: "The state of the import. `interrupted`: a signal stopped it, or it was killed.",
  }),
  file: Type.String({ description: "The name of the file, without its folder." }),
  mapping: Type.String({ description: "The name of the mapping, without its folder." }),
  by: Type.Literal("command", { description: "Who runs the import: the command `beatmarket import`." }),
  started_at: time,
  ended_at: timeOrNull("When the import ended. Null while it runs."),
  read_rows: Type.Integer({ description: "The number of rows read so far." }),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  rejected: Type.Integer(),
  read_bytes: Type.Integer({
    description: "The number of bytes read so far, of the stored file; for a compressed file, compressed bytes.",
  }),
  size_bytes: orNull(Type.Integer(), "The size of the file. Null for standard input."),
  error: orNull(Type.String(), "Why the import failed or was interrupted."),
};

const AdminImports = Type.Object(
  { imports: Type.Array(Type.Object(runFields, { $id: "AdminImport", ...closed })) },
  { ...closed, description: "At most 100 imports, the newest first." },
);

const AdminImportDetail = Type.Object(
  {
    ...runFields,
    reasons: Type.Array(
      Type.Object({ reason: Type.String(), times: Type.Integer(), first_lines: Type.Array(Type.Integer()) }, closed),
      { description: "Why rows were rejected, the most frequent reason first." },
    ),
    rejects: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ description: "The number of the line in the file." }),
          reason: Type.String(),
          row: Type.String({ description: "The row, up to 500 characters." }),
        },
        closed,
      ),
      { description: `The first ${maxShownRejects} rejected rows; the file has up to 1,000.` },
    ),
  },
  { $id: "AdminImportDetail", ...closed },
);

/** The imports into the catalogue. */
export const adminImportRoutes: PortalRoute[] = [
  operatorRoute({
    operationId: "listAdminImports",
    method: "GET",
    path: "/admin/imports",
    tag,
    summary: "List the imports into the catalogue, newest first",
    response: AdminImports,
    handle: async ({ db, clock }) => ({ imports: (await listRuns(db, new Date(clock.nowMs()))).map(runJson) }),
  }),
  operatorRoute({
    operationId: "getAdminImport",
    method: "GET",
    path: "/admin/imports/:run_id",
    tag,
    summary: "Get an import with its rejected rows by reason",
    params: RunId,
    response: AdminImportDetail,
    handle: async ({ db, clock, params: { run_id: id } }) => {
      const { rejects, reasons, ...run } = await findRun(db, id, new Date(clock.nowMs()));
      const lines = rejects.split("\n", maxShownRejects).filter((line) => line !== "");
      return { ...runJson(run), reasons, rejects: lines.map((line) => JSON.parse(line)) };
    },
  }),
];

/**
 * The rejected rows of an import, in the format of the importer's rejects file. The portal's OpenAPI document does not
 * describe files.
 */
export const rejectsFile: Route = {
  operationId: null,
  method: "GET",
  path: "/admin/imports/:run_id/rejects",
  params: RunId,
  query: Type.Object({}),
  access: { by: "session", required: true, permission: "self", ofOperators: true },
  headers: portalHeaders,
  handle: async ({ db, clock, params }): Promise<HttpResponse> => {
    const { run_id: id } = params as { run_id: number };
    const { rejects } = await findRun(db, id, new Date(clock.nowMs()));
    return {
      status: 200,
      headers: {
        "content-type": "application/x-ndjson; charset=utf-8",
        "content-disposition": `attachment; filename="import-${id}.rejects.jsonl"`,
      },
      body: rejects,
    };
  },
  respond: (response) => response as HttpResponse,
};
