export type { CallOptions, CreateOptions, EditOptions, Query } from "./call-options.ts";
export { BeatMarket, type RawResponse, type RequestOptions } from "./client.ts";
export * from "./errors.ts";
export type { EventStream, EventStreamQuery } from "./event-stream.ts";
export type { BeatExport, SalesExport } from "./exports.ts";
export type * from "./generated/client.ts";
export type * from "./generated/models.ts";
export type {
  BeatFields as NewBeat,
  FileKind as OrderFileKind,
  OrderRequest as NewOrder,
} from "./generated/models.ts";
export type { BeatPage, ChangePage, EventPage, SearchPage, UploadPage } from "./generated/resources.ts";
export type { ExtraHeaders } from "./headers.ts";
export type { Hooks, RequestFacts, ResponseFacts } from "./hooks.ts";
export type { List, Page } from "./list.ts";
export type { DownloadedFile, DownloadOptions, DownloadProgress, OrderArchive } from "./orders.ts";
export type { APIPromise, ResponseInfo } from "./response.ts";
export type { Logger, Options } from "./settings.ts";
export type { OpenedFile, TransferOptions, Uploadable, UploadOptions, UploadProgress } from "./uploads.ts";
export { version } from "./version.ts";
export type { RawBody, WebhookHeaders } from "./webhooks.ts";
export * as webhooks from "./webhooks.ts";
