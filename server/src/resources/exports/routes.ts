import { fileRoute } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import type { Downloads } from "./download.ts";

export const exportRoutes = (downloads: Downloads) => [
  fileRoute({
    operationId: "exportBeats",
    client: "exports.beats",
    method: "GET",
    path: "/exports/beats.ndjson.gz",
    tag: "Exports",
    summary: "Download all beats",
    description:
      "All listed beats in one file: a line of JSON for each, as `GET /beats/{beat_id}` shows it, in the order of ids, compressed with gzip. At most ten minutes old, or unchanged since. With `GET /changes` from its `X-Change-Position` on, it is an exact copy of the catalogue. One an hour for each key, outside of the plan's limits; resuming a broken download with Range does not count.",
    permission: "beats:read",
    file: {
      name: "beats.ndjson.gz",
      contentType: "application/gzip",
      shown: "position",
      isResumable: true,
      headers: {
        "X-Change-Position": Type.Integer({
          format: "int64",
          minimum: 0,
          description:
            "The position of the export in the change stream: pass it as `after` of the first `GET /changes`.",
        }),
        "Last-Modified": Type.String({ description: "When the export was made." }),
        "Accept-Ranges": Type.String({ description: "bytes: a download can be resumed." }),
        "Content-Disposition": Type.String({ description: "A name for the file." }),
      },
    },
    examples: { success: {}, invalid: { parameters: { page: 2 } } },
    handle: (call) => downloads.respond(call),
  }),
];
