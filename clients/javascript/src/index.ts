export { BeatMarket, type RawAnswer, type RequestOptions } from "./client.ts";
export {
  APIConnectionError,
  APIStatusError,
  APITimeoutError,
  AuthenticationError,
  BeatMarketError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  SignatureVerificationError,
} from "./errors.ts";
export type { BeatExport } from "./exports.ts";
export type { BeatPage, List, Page, SearchPage } from "./list.ts";
export type {
  Beat,
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
  ListProducersQuery,
  ListSimilarBeatsQuery,
  NewOrder,
  Order,
  Pagination,
  Producer,
  ProfileFields,
  Purchase,
  SearchQuery,
  SearchTotals,
  SimilarBeat,
  User,
  UserUpdated,
  WebhookEvent,
} from "./models.ts";
export type { BeatBatch } from "./resources.ts";
export type { APIPromise, RateLimit, ResponseInfo } from "./response.ts";
export type { CallOptions, Query } from "./sender.ts";
export type { Logger, Options } from "./settings.ts";
export { version } from "./version.ts";
export type { RawBody, WebhookHeaders } from "./webhooks.ts";
export * as webhooks from "./webhooks.ts";
