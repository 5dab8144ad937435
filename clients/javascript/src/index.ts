export { BeatMarket, type RawAnswer, type RequestOptions } from "./client.ts";
export {
  APIConnectionError,
  APIStatusError,
  APITimeoutError,
  AuthenticationError,
  BeatMarketError,
  ChecksumError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  SignatureVerificationError,
  UploadRejectedError,
} from "./errors.ts";
export type { BeatExport } from "./exports.ts";
export type { BeatPage, List, Page, SearchPage } from "./list.ts";
export type {
  Analysis,
  Beat,
  BeatChanges,
  BeatDetail,
  BeatUpdated,
  Change,
  ChangePage,
  EventPage,
  Facets,
  Genre,
  Interpretation,
  ListBeatsQuery,
  ListChangesQuery,
  ListEventsQuery,
  ListOrdersQuery,
  ListOwnBeatsQuery,
  ListProducersQuery,
  ListSalesQuery,
  ListSimilarBeatsQuery,
  ListUploadsQuery,
  NewBeat,
  NewOrder,
  Order,
  OrderFile,
  OrderFileKind,
  OrderFiles,
  OrderLicense,
  Pagination,
  Producer,
  ProfileFields,
  Purchase,
  Sale,
  SearchQuery,
  SearchTotals,
  SimilarBeat,
  Upload,
  UploadKind,
  User,
  UserUpdated,
  WebhookEvent,
} from "./models.ts";
export type { DownloadedFile, DownloadOptions, DownloadProgress } from "./order-download.ts";
export type { BeatBatch, CreateOptions, EditOptions } from "./resources.ts";
export type { APIPromise, RateLimit, ResponseInfo } from "./response.ts";
export type { SalesExport } from "./sales.ts";
export type { CallOptions, Query } from "./sender.ts";
export type { Logger, Options } from "./settings.ts";
export type { Uploadable } from "./upload-source.ts";
export type { TransferOptions, UploadOptions, UploadProgress } from "./uploads.ts";
export { version } from "./version.ts";
export type { RawBody, WebhookHeaders } from "./webhooks.ts";
export * as webhooks from "./webhooks.ts";
