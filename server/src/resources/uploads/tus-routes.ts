import type { Access } from "@beatmarket/http/application.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { type HeaderDescription, type ProtocolRoute, protocolRoute } from "@beatmarket/http/pipeline/api-route.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { checksumAlgorithms } from "@beatmarket/resumable-uploads/checksum.ts";
import { partType, type Tus, tusVersion } from "@beatmarket/resumable-uploads/tus.ts";
import Type, { type TObject, type TSchema } from "typebox";
import { UploadId } from "./present.ts";
import { maxBytesOf } from "./upload.ts";

/** The largest limit of all kinds. */
const maxBytes = Math.max(...Object.values(maxBytesOf));
const count = (description: string): TSchema => Type.Integer({ format: "int64", minimum: 0, description });
const version: HeaderDescription = {
  required: true,
  schema: Type.String({ enum: [tusVersion], description: "The version of the protocol." }),
};
const checksum: HeaderDescription = {
  schema: Type.String({
    pattern: `^(${checksumAlgorithms.join("|")}) [A-Za-z0-9+/]+=*$`,
    description: `The checksum of the body: an algorithm (${checksumAlgorithms.join(", ")}), a space, and the digest in Base64. A body with another checksum is refused with 460, and nothing of it is kept.`,
  }),
};
const offset = count("The number of bytes that have arrived.");
const length = count("The size of the whole file.");
const metadata = "Pairs separated by commas: a name, a space, and the value in Base64.";
const expires = Type.String({ description: "When the upload is deleted unless it is complete, an HTTP date." });
const resumable = Type.String({ description: "The version of the protocol." });
const locked = {
  description: "Another request sends bytes of this upload at the moment.",
  headers: { "Retry-After": count("The number of whole seconds to wait.") },
};
const oldVersion = {
  description: "Tus-Resumable is missing, or names another version than `Tus-Version`.",
  headers: { "Tus-Version": resumable },
};
const notFound = {
  description: "The account has no such upload: the id is unknown, or the upload was deleted or has expired.",
};
const wrongChecksum = {
  description: "The body does not have the checksum of Upload-Checksum; nothing of it was kept.",
};
const wrongType = { description: `There is a body, and its Content-Type is not ${partType}.` };
const full = {
  description: "The service's disk is nearly full. The bytes that have arrived are kept.",
  headers: { "Retry-After": Type.String({ description: "The number of seconds to wait before the next attempt." }) },
};

const responseHeaders = { "Tus-Resumable": resumable };
/** The headers of every response of the protocol, including errors. */
const everywhere = { "tus-resumable": tusVersion };

const rows = (tus: Tus): ProtocolRoute[] => [
  protocolRoute({
    operationId: "createUpload",
    method: "POST",
    path: "/uploads",
    tag: "Uploads",
    summary: "Begin an upload",
    description:
      "Begins an upload by tus 1.0. The request may contain the first bytes of the file, or all of them. Send the rest to the address in `Location`, best with a tus client.",
    permission: "beats:write",
    protocol: {
      responseHeaders,
      requestHeaders: {
        "Tus-Resumable": version,
        "Upload-Length": {
          required: true,
          schema: Type.Integer({
            format: "int64",
            minimum: 1,
            maximum: maxBytes,
            description:
              "The size of the whole file in bytes: at most 500 MB of audio, 2 GB of stems, 20 MB of a cover.",
          }),
        },
        "Upload-Metadata": {
          required: true,
          schema: Type.String({
            description: `${metadata} \`kind\` is \`audio\`, \`stems\` or \`cover\`; \`filename\` is the file's name. Others are ignored.`,
          }),
        },
        "Upload-Checksum": checksum,
      },
      requestBody: { contentType: partType, required: false },
      responses: {
        "201": {
          description: "The upload has begun. It is complete if all bytes were sent.",
          headers: {
            Location: Type.String({ format: "uri", description: "The address of the upload." }),
            "Upload-Offset": count("The number of bytes that have arrived. Only if the request had a body."),
            "Upload-Expires": expires,
          },
        },
        "409": {
          description:
            "The account has 20 incomplete uploads, 10 GB of uploads that no beat uses, or no storage left in its plan.",
        },
        "412": oldVersion,
        "413": { description: "The file is larger than its kind may be, or the body is larger than the file." },
        "415": wrongType,
        "460": wrongChecksum,
        "507": full,
      },
    },
    handle: (call) => tus.create(call),
  }),
  protocolRoute({
    operationId: "getUploadOffset",
    method: "HEAD",
    path: "/uploads/:upload_id",
    tag: "Uploads",
    summary: "Ask how much of an upload has arrived",
    description:
      "Returns the offset at which to resume (tus 1.0). The request does not count towards the limits of the key's plan.",
    permission: "beats:write",
    params: UploadId,
    hasOwnLimit: true,
    protocol: {
      responseHeaders,
      requestHeaders: { "Tus-Resumable": version },
      responses: {
        "200": {
          description: "The state of the upload.",
          headers: {
            "Upload-Offset": offset,
            "Upload-Length": length,
            "Upload-Metadata": Type.String({ description: metadata }),
            "Upload-Expires": expires,
          },
        },
        "404": notFound,
        "412": oldVersion,
      },
    },
    handle: (call) => tus.offset(call),
  }),
  protocolRoute({
    operationId: "appendToUpload",
    method: "PATCH",
    path: "/uploads/:upload_id",
    tag: "Uploads",
    summary: "Send the next bytes of an upload",
    description:
      "Appends bytes to an upload by tus 1.0. A body may be as large as the rest of the file, and may take as long as bytes keep arriving. The bytes of an interrupted body are kept. The request does not count towards the limits of the key's plan.",
    permission: "beats:write",
    params: UploadId,
    hasOwnLimit: true,
    protocol: {
      responseHeaders,
      requestHeaders: {
        "Tus-Resumable": version,
        "Upload-Offset": {
          required: true,
          schema: { ...count("The position at which the body begins: the upload's offset."), maximum: maxBytes },
        },
        "Upload-Checksum": checksum,
      },
      requestBody: { contentType: partType, required: true },
      responses: {
        "204": {
          description: "The bytes are stored. After the last byte the file waits for its analysis.",
          headers: { "Upload-Offset": offset, "Upload-Expires": expires },
        },
        "404": notFound,
        "409": {
          description:
            "Upload-Offset is not the upload's offset, another request has just moved it, or the upload has 10,000 parts.",
        },
        "412": oldVersion,
        "413": { description: "The body has more bytes than the file has left." },
        "415": wrongType,
        "423": locked,
        "460": wrongChecksum,
        "507": full,
      },
    },
    handle: (call) => tus.append(call),
  }),
  protocolRoute({
    operationId: "deleteUpload",
    client: "uploads.delete",
    method: "DELETE",
    path: "/uploads/:upload_id",
    tag: "Uploads",
    summary: "Delete an upload",
    description: "Deletes an upload in any state, unless a beat uses it.",
    permission: "beats:write",
    params: UploadId,
    protocol: {
      responseHeaders,
      requestHeaders: { "Tus-Resumable": { ...version, required: false } },
      responses: {
        "204": { description: "The upload is deleted." },
        "404": notFound,
        "409": { description: "A beat uses the upload." },
        "412": oldVersion,
        "423": locked,
      },
    },
    handle: (call) => tus.terminate(call),
  }),
];

const withProtocolHeaders = <R extends Route>(row: R): R => ({ ...row, headers: { ...row.headers, ...everywhere } });

/** Returns the protocol's rows of the operation table. */
export const tusRoutes = (tus: Tus): ProtocolRoute[] => rows(tus).map(withProtocolHeaders);

/**
 * Returns the routes that list the supported features. They need no key, because clients read the features before they
 * authenticate.
 */
export const tusCapabilities = (tus: Tus): Route[] =>
  ["/uploads", "/uploads/:upload_id"].map((path) =>
    withProtocolHeaders(openRoute(path, (): HttpResponse => tus.capabilities(), { method: "OPTIONS" })),
  );

/**
 * Returns the routes of `tusRoutes` for the portal's pages. They need a session instead of a key. Requests that start
 * or delete an upload count towards the limit of changes.
 */
export const sessionTusRoutes = (tus: Tus, headers: Readonly<Record<string, string>>): Route[] =>
  rows(tus).map((row) =>
    withProtocolHeaders({
      operationId: null,
      method: row.method,
      path: row.path,
      params: row.params as TObject,
      query: row.query as TObject,
      headers,
      access: sessionAccess(row.access),
      streamsBody: true,
      takesMethodOverride: true,
      handle: row.handle,
      respond: row.respond,
    }),
  );

const sessionAccess = (access: Access): Access => ({
  by: "session",
  required: true,
  permission: "studio:write",
  ...(access.by === "key" && access.hasOwnLimit === true && { hasOwnLimit: true }),
});
