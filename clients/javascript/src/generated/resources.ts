// Generated from contract/openapi.json by npm run contract; do not edit.

import type { CallOptions, CreateOptions, EditOptions } from "../call-options.ts";
import { type BeatExport, ExportsTransfers, type SalesExport, SalesTransfers } from "../exports.ts";
import { List, type Page } from "../list.ts";
import { type DownloadedFile, type DownloadOptions, type OrderArchive, OrdersTransfers } from "../orders.ts";
import { Resource } from "../resource.ts";
import type { APIPromise } from "../response.ts";
import { type TransferOptions, type Uploadable, type UploadOptions, UploadsTransfers } from "../uploads.ts";
import type {
  Beat,
  BeatChanges,
  BeatDetail,
  BeatFields,
  Change,
  Checkout,
  CheckoutRequest,
  CreatedSandbox,
  Facets,
  Favorite,
  FileKind,
  Follow,
  Genre,
  Interpretation,
  Invoice,
  LicenseQuestion,
  LicenseUsage,
  LicenseVerdict,
  ListBeatsQuery,
  ListChangesQuery,
  ListEventsQuery,
  ListFavoritesQuery,
  ListFollowingQuery,
  ListOrdersQuery,
  ListOwnBeatsQuery,
  ListPlaylistsQuery,
  ListProducersQuery,
  ListRequestsQuery,
  ListSalesQuery,
  ListSimilarBeatsQuery,
  ListUploadsQuery,
  LoggedRequestDetail,
  Order,
  OrderFiles,
  OrderRequest,
  Playlist,
  PlaylistChanges,
  PlaylistDetail,
  PlaylistFields,
  Producer,
  ProfileFields,
  Quote,
  QuoteRequest,
  RequestPage,
  Sale,
  Sandbox,
  SandboxAdvance,
  SandboxAdvanceRequest,
  SandboxRequest,
  SearchQuery,
  SearchTotals,
  SimilarBeat,
  StorageUse,
  TestEvent,
  TestEventRequest,
  UpgradeRequest,
  Upload,
  UsageReportRequest,
  User,
  WebhookEvent,
} from "./models.ts";
import { operations } from "./operations.ts";

/** One page, with the fields of the whole list. */
export interface BeatPage<T = Beat> extends Page<T> {
  /** The numbers of beats by value. Only with `facets`. */
  facets?: Facets;
  /** With `ids`: the ids without a public beat. */
  missing?: number[];
}

/** One page, with the fields of the whole list. */
export interface SearchPage extends Page<Beat | Producer> {
  beats: Beat[];
  producers: Producer[];
  /** The number of results of each type. */
  totals: SearchTotals;
  /**
   * How the service read `q`: the words that it searched, and the filters that it recognised, named like the
   * parameters. Absent with `interpret=false`.
   */
  interpreted?: Interpretation;
  /** The numbers of beats by value. Only with `facets`. */
  facets?: Facets;
}

/** One page, with the fields of the whole list. */
export interface UploadPage<T = Upload> extends Page<T> {
  /** The storage that the account's files use, and the limit. */
  storage: StorageUse;
}

/** A part of a feed. `next` is the position to continue from. */
export interface ChangePage {
  changes: Change[];
  next: number;
}

/** A part of a feed. `next` is the position to continue from. */
export interface EventPage {
  events: WebhookEvent[];
  next: number;
}

/** The beats on sale, and your own. */
export class Beats extends Resource {
  /**
   * Returns the beats on sale that match every filter, one page at a time; or beats by their `ids`. `await` returns one
   * page, `for await` iterates over all of them. Permission: `beats:read`.
   */
  list(query?: ListBeatsQuery, options?: CallOptions): List<Beat, BeatPage> {
    return new List(this.sender, operations.listBeats, { query, options });
  }

  /**
   * Creates a beat from an upload. The beat is a draft that only you see; with `status` `published`, it goes on sale as
   * soon as its files are processed. A repeated request with the same `Idempotency-Key` creates one beat. Permission:
   * `beats:write`.
   */
  create(fields: BeatFields, options?: CreateOptions): APIPromise<BeatDetail> {
    return this.sender.call(operations.createBeat, { body: fields, options });
  }

  /**
   * Returns a beat with its description, tags and licenses. It also returns a beat whose exclusive license is sold, and
   * your own beats in every state, with their `status`. Permission: `beats:read`.
   */
  get(beatId: number | string, options?: CallOptions): APIPromise<BeatDetail> {
    return this.sender.call(operations.getBeat, { ids: { beat_id: beatId }, options });
  }

  /**
   * Changes one of your beats, on sale or not. An omitted field stays as it is; null clears it. New files replace the
   * old ones once they are processed. With `If-Match`, the beat changes only if it has not changed since. A repeated
   * request with the same `Idempotency-Key` gets the first response. Permission: `beats:write`.
   */
  update(beatId: number | string, fields: BeatChanges, options?: EditOptions): APIPromise<BeatDetail> {
    return this.sender.call(operations.updateBeat, { ids: { beat_id: beatId }, body: fields, options });
  }

  /**
   * Takes one of your beats off sale and returns it. Buyers keep their licenses. `updateBeat` with `status` `published`
   * puts it on sale again. A beat that was never on sale is deleted. Permission: `beats:write`.
   */
  withdraw(beatId: number | string, options?: EditOptions): APIPromise<BeatDetail> {
    return this.sender.call(operations.withdrawBeat, { ids: { beat_id: beatId }, options });
  }

  /**
   * Returns the beats most similar to the given one, the most similar first. They are compared by genre, tempo (half
   * and double are near), key on the circle of fifths, and lesser factors. `similarity` explains each choice.
   * Permission: `beats:read`.
   */
  similar(beatId: number | string, query?: ListSimilarBeatsQuery, options?: CallOptions): APIPromise<SimilarBeat[]> {
    return this.sender.call(operations.listSimilarBeats, { ids: { beat_id: beatId }, query, options });
  }
}

/** Public profiles, and your own. */
export class Users extends Resource {
  /**
   * Returns the beats of the key's account in every state, drafts included, newest first, one page at a time. `await`
   * returns one page, `for await` iterates over all of them. Permission: `beats:write`.
   */
  myBeats(query?: ListOwnBeatsQuery, options?: CallOptions): List<BeatDetail> {
    return new List(this.sender, operations.listOwnBeats, { query, options });
  }

  /**
   * Returns the public profile of a user, producer or not. The profile has no e-mail address. Permission: `users:read`.
   */
  get(userId: number | string, options?: CallOptions): APIPromise<User> {
    return this.sender.call(operations.getUser, { ids: { user_id: userId }, options });
  }

  /**
   * Changes the public profile of the key's account and returns it. An omitted field stays as it is; null clears it.
   * Permission: `profile:write`.
   */
  updateProfile(fields: ProfileFields, options?: CallOptions): APIPromise<User> {
    return this.sender.call(operations.updateProfile, { body: fields, options });
  }

  /**
   * Returns the profiles of the producers that the account follows, the newest first, one page at a time. `await`
   * returns one page, `for await` iterates over all of them. Permission: `users:read`.
   */
  following(query?: ListFollowingQuery, options?: CallOptions): List<User> {
    return new List(this.sender, operations.listFollowing, { query, options });
  }

  /**
   * Follows a producer. If the account follows the producer already, `created_at` stays. Permission: `profile:write`.
   */
  follow(userId: number | string, options?: CallOptions): APIPromise<Follow> {
    return this.sender.call(operations.followUser, { ids: { user_id: userId }, options });
  }

  /** Unfollows a producer. It is no error if the account does not follow the producer. Permission: `profile:write`. */
  unfollow(userId: number | string, options?: CallOptions): APIPromise<Follow> {
    return this.sender.call(operations.unfollowUser, { ids: { user_id: userId }, options });
  }
}

/** Users who sell beats. */
export class Producers extends Resource {
  /**
   * Returns all producers with their genres and plays, one page at a time. `await` returns one page, `for await`
   * iterates over all of them. Permission: `producers:read`.
   */
  list(query?: ListProducersQuery, options?: CallOptions): List<Producer> {
    return new List(this.sender, operations.listProducers, { query, options });
  }
}

/** The genres of the catalogue. */
export class Genres extends Resource {
  /** Returns all genres by name, with the number of beats on sale in each. Permission: `genres:read`. */
  list(options?: CallOptions): APIPromise<Genre[]> {
    return this.sender.call(operations.listGenres, { options });
  }
}

/** The purchases of the key's account. */
export class Orders extends OrdersTransfers {
  /**
   * Returns the orders of the key's account, newest first, one page at a time. `await` returns one page, `for await`
   * iterates over all of them. Permission: `orders:read`.
   */
  list(query?: ListOrdersQuery, options?: CallOptions): List<Order> {
    return new List(this.sender, operations.listOrders, { query, options });
  }

  /**
   * Buys a license of a beat and returns the order. With `expected_amount` and `currency`, it buys only at the price
   * that the buyer agreed to. A declined payment is an order, too: `failed`, with its `failure_reason`. A repeated
   * request with the same `Idempotency-Key` within 24 hours does not buy again. Permission: `orders:write`.
   */
  create(fields: OrderRequest, options?: CreateOptions): APIPromise<Order> {
    return this.sender.call(operations.createOrder, { body: fields, options });
  }

  /** Returns an order of the key's account. An order of another account is 404. Permission: `orders:read`. */
  get(orderId: number | string, options?: CallOptions): APIPromise<Order> {
    return this.sender.call(operations.getOrder, { ids: { order_id: orderId }, options });
  }

  /**
   * Returns the files of a completed order, as they were at the purchase, and the license. Links to files are signed
   * and valid for 15 minutes; another request gets new ones. The response waits up to ten seconds for files that are
   * not ready. After that it is 503 with `Retry-After`. Permission: `orders:read`.
   */
  files(orderId: number | string, options?: CallOptions): APIPromise<OrderFiles> {
    return this.sender.call(operations.listOrderFiles, { ids: { order_id: orderId }, options });
  }

  /**
   * Returns the invoice of the sale and its corrections, the oldest first: a credit note for each refund and lost
   * dispute, and an invoice for money that came back. Each has a link to its PDF (Factur-X), valid for 15 minutes. An
   * order has no invoice if it was free, is not completed, or was sold while no seller was set. Only for the buyer; a
   * key with `sales:read` also gets those of its account's sales, as copies without the buyer's address and VAT number.
   * Permission: `orders:read`.
   */
  invoices(orderId: number | string, options?: CallOptions): APIPromise<Invoice[]> {
    return this.sender.call(operations.listOrderInvoices, { ids: { order_id: orderId }, options });
  }

  /**
   * Returns the files of a completed order and its license certificate in one ZIP, uncompressed, with the same bytes
   * every time. Resume an interrupted download with `Range`, and with the ETag in `If-Range`. The response waits up to
   * ten seconds for files that are not ready. After that it is 503 with `Retry-After`. It is 410 once the order is
   * refunded in full. Writes into a file. Resumes after a lost connection. The timeout is the longest wait for the next
   * bytes. Rejects with an InvalidRequestError with status 409, if the order is not completed. Rejects with a
   * NotFoundError if the account has no such order. Rejects with a BeatMarketError if the file cannot be written. Files
   * are written on Node, Deno and Bun. Permission: `orders:read`.
   */
  archive(orderId: number | string, path: string, options?: CallOptions): Promise<OrderArchive> {
    return this.transferArchive(orderId, path, options);
  }

  /**
   * Downloads a file of an order. Writes to the destination with .part after its name, and renames that file when it is
   * complete. A later call resumes the .part file. Resumes after a lost connection, and requests a new link when the
   * old one has expired. The timeout is the longest wait for the next bytes. A complete file is not downloaded again.
   * The key is not sent to the link, which may lead to another host. Rejects with a ChecksumError if the checksum of
   * the file is wrong; the file is deleted. Rejects with a BeatMarketError if the order has no such file, or the
   * destination cannot be written. Rejects with an InvalidRequestError with status 409, if the order is not completed.
   * Rejects with a NotFoundError if the account has no such order. Files are written on Node, Deno and Bun. Permission:
   * `orders:read`.
   */
  download(
    orderId: number | string,
    kind: FileKind,
    destination: string,
    options?: DownloadOptions,
  ): Promise<DownloadedFile> {
    return this.transferDownload(orderId, kind, destination, options);
  }

  /**
   * Downloads all files of an order into a folder, one after the other as `download` does. Uses the service's names,
   * without characters that a file system refuses or that lead out of the folder. Rejects with a ChecksumError if the
   * checksum of the file is wrong; the file is deleted. Rejects with a BeatMarketError if the order was refunded and
   * has no files, or the folder cannot be written. Rejects with a NotFoundError if the account has no such order. Files
   * are written on Node, Deno and Bun. Permission: `orders:read`.
   */
  downloadAll(orderId: number | string, folder: string, options?: DownloadOptions): Promise<DownloadedFile[]> {
    return this.transferDownloadAll(orderId, folder, options);
  }
}

/** Payments of one or more licenses, on a page of the service. */
export class Checkouts extends Resource {
  /**
   * Opens one payment of one or more licenses and returns its page, on which a person pays. If one of the licenses is
   * not for sale, nothing is held or charged, and the error names the license. The payment creates the orders.
   * Permission: `orders:write`.
   */
  create(fields: CheckoutRequest, options?: CreateOptions): APIPromise<Checkout> {
    return this.sender.call(operations.createCheckout, { body: fields, options });
  }

  /**
   * Returns a checkout of the key's account, with its orders once it is paid. A checkout of another account is 404.
   * Permission: `orders:write`.
   */
  get(checkoutId: number | string, options?: CallOptions): APIPromise<Checkout> {
    return this.sender.call(operations.getCheckout, { ids: { checkout_id: checkoutId }, options });
  }
}

/** What purchases would cost, with discounts. */
export class Quotes extends Resource {
  /**
   * Returns the amount that a checkout of the items would charge, and every discount that was considered, with the
   * reason why it applies or not. Nothing is held, charged or stored. Permission: `orders:write`.
   */
  create(fields: QuoteRequest, options?: CallOptions): APIPromise<Quote> {
    return this.sender.call(operations.createQuote, { body: fields, options });
  }
}

/** What the key's account sold. */
export class Sales extends SalesTransfers {
  /**
   * Returns the completed orders of beats that the key's account sold, newest first, one page at a time. Sales of
   * imported producers that the account has claimed are included. `await` returns one page, `for await` iterates over
   * all of them. Permission: `sales:read`.
   */
  list(query?: ListSalesQuery, options?: CallOptions): List<Sale> {
    return new List(this.sender, operations.listSales, { query, options });
  }

  /**
   * Returns the sales of a month (UTC), the oldest first, as CSV in UTF-8 with a byte order mark and a header line.
   * Amounts have two decimals. A name that a spreadsheet would take for a formula begins with an apostrophe. Writes
   * into a file. Starts again after a lost connection. The timeout is the longest wait for the next bytes. Rejects with
   * an InvalidRequestError if the month is invalid. Rejects with a BeatMarketError if the file cannot be written. Files
   * are written on Node, Deno and Bun. Permission: `sales:read`.
   */
  export(month: string, path: string, options?: CallOptions): Promise<SalesExport> {
    return this.transferExport(month, path, options);
  }
}

/** What licenses allow, and reports of their use. */
export class Licenses extends Resource {
  /**
   * Answers `yes`, `no` or `unknown` by the terms under which the license was sold, with the clause that decides and
   * the purchase that would allow the use. The id of a certificate is enough. No API key is needed.
   */
  may(licenseId: string, fields: LicenseQuestion, options?: CallOptions): APIPromise<LicenseVerdict> {
    return this.sender.call(operations.askLicense, { ids: { license_id: licenseId }, body: fields, options });
  }

  /**
   * Returns the usage reports of one of the account's licenses, and their sums with the limits of the license.
   * Permission: `orders:read`.
   */
  usage(licenseId: string, options?: CallOptions): APIPromise<LicenseUsage> {
    return this.sender.call(operations.listLicenseUsage, { ids: { license_id: licenseId }, options });
  }

  /**
   * Stores how many streams, copies or videos a source counted in a month. A report of the same use, period and source
   * replaces the former quantity, so it can be repeated and corrected. Returns the report and the sums. At 80 and 100
   * percent of a limit the holder gets the event `license.usage` and a mail. Permission: `orders:write`.
   */
  reportUsage(licenseId: string, fields: UsageReportRequest, options?: CallOptions): APIPromise<LicenseUsage> {
    return this.sender.call(operations.reportLicenseUsage, { ids: { license_id: licenseId }, body: fields, options });
  }

  /**
   * Buys a higher license for the difference: the price of the higher license today, less the payments for the present
   * license and those before it. With the same type it renews the license at today's price; this is possible from 90
   * days before its last day. Returns the order, whose license replaces the present one as soon as it is completed.
   * With `expected_amount` and `currency`, it buys only at the amount that the buyer agreed to. A declined payment is
   * an order, too. A repeated request with the same `Idempotency-Key` within 24 hours does not buy again. Permission:
   * `orders:write`.
   */
  upgrade(licenseId: string, fields: UpgradeRequest, options?: CreateOptions): APIPromise<Order> {
    return this.sender.call(operations.upgradeLicense, { ids: { license_id: licenseId }, body: fields, options });
  }
}

/** The favorite beats of the key's account. */
export class Favorites extends Resource {
  /**
   * Returns the account's favorite beats that are on sale, the newest favorite first, one page at a time. `await`
   * returns one page, `for await` iterates over all of them. Permission: `users:read`.
   */
  list(query?: ListFavoritesQuery, options?: CallOptions): List<Beat> {
    return new List(this.sender, operations.listFavorites, { query, options });
  }

  /**
   * Adds a beat on sale to the favorites. If the beat is a favorite already, its `created_at` stays. Permission:
   * `profile:write`.
   */
  add(beatId: number | string, options?: CallOptions): APIPromise<Favorite> {
    return this.sender.call(operations.addFavorite, { ids: { beat_id: beatId }, options });
  }

  /** Removes a beat from the favorites. It is no error if the beat is not a favorite. Permission: `profile:write`. */
  remove(beatId: number | string, options?: CallOptions): APIPromise<Favorite> {
    return this.sender.call(operations.removeFavorite, { ids: { beat_id: beatId }, options });
  }
}

/** Lists of beats: your own, and public ones. */
export class Playlists extends Resource {
  /**
   * Returns the account's playlists, the newest first, one page at a time. `await` returns one page, `for await`
   * iterates over all of them. Permission: `users:read`.
   */
  list(query?: ListPlaylistsQuery, options?: CallOptions): List<Playlist> {
    return new List(this.sender, operations.listPlaylists, { query, options });
  }

  /**
   * Creates a playlist, private by default. A repeated request with the same `Idempotency-Key` creates one playlist.
   * Permission: `profile:write`.
   */
  create(fields: PlaylistFields, options?: CreateOptions): APIPromise<PlaylistDetail> {
    return this.sender.call(operations.createPlaylist, { body: fields, options });
  }

  /**
   * Returns one of the account's playlists, or a public playlist of another account, with its beats in order. Beats
   * that are not on sale are omitted. Permission: `users:read`.
   */
  get(playlistId: string, options?: CallOptions): APIPromise<PlaylistDetail> {
    return this.sender.call(operations.getPlaylist, { ids: { playlist_id: playlistId }, options });
  }

  /**
   * Changes the fields in the body. `beat_ids` replaces the beats that are on sale, and their order. Permission:
   * `profile:write`.
   */
  update(playlistId: string, fields: PlaylistChanges, options?: CallOptions): APIPromise<PlaylistDetail> {
    return this.sender.call(operations.updatePlaylist, { ids: { playlist_id: playlistId }, body: fields, options });
  }

  /** Deletes the playlist and returns it as it was. Its beats stay in the catalogue. Permission: `profile:write`. */
  delete(playlistId: string, options?: CallOptions): APIPromise<PlaylistDetail> {
    return this.sender.call(operations.deletePlaylist, { ids: { playlist_id: playlistId }, options });
  }

  /**
   * Appends a beat to the playlist. A beat that is in the playlist already keeps its place. Permission:
   * `profile:write`.
   */
  addBeat(playlistId: string, beatId: number | string, options?: CallOptions): APIPromise<PlaylistDetail> {
    return this.sender.call(operations.addPlaylistBeat, { ids: { playlist_id: playlistId, beat_id: beatId }, options });
  }

  /**
   * Removes a beat from the playlist. It is no error if the beat is not in the playlist. Permission: `profile:write`.
   */
  removeBeat(playlistId: string, beatId: number | string, options?: CallOptions): APIPromise<PlaylistDetail> {
    return this.sender.call(operations.removePlaylistBeat, {
      ids: { playlist_id: playlistId, beat_id: beatId },
      options,
    });
  }
}

/** Files that become beats. */
export class Uploads extends UploadsTransfers {
  /**
   * Returns the uploads of the key's account, newest first, one page at a time, and how much of the storage its files
   * take. `await` returns one page, `for await` iterates over all of them. Permission: `beats:write`.
   */
  list(query?: ListUploadsQuery, options?: CallOptions): List<Upload, UploadPage> {
    return new List(this.sender, operations.listUploads, { query, options });
  }

  /** Deletes an upload in any state, unless a beat uses it. Permission: `beats:write`. */
  delete(uploadId: string, options?: CallOptions): APIPromise<void> {
    return this.sender.call(operations.deleteUpload, { ids: { upload_id: uploadId }, options });
  }

  /**
   * Returns the state of an upload: how much of it has arrived and, after the analysis, the results or the reason of
   * its rejection. An upload of another account is 404. Permission: `beats:write`.
   */
  get(uploadId: string, options?: CallOptions): APIPromise<Upload> {
    return this.sender.call(operations.getUpload, { ids: { upload_id: uploadId }, options });
  }

  /**
   * Analyses a file again that was rejected because of a fault of the service. An upload that was not rejected is
   * returned unchanged. Permission: `beats:write`.
   */
  retry(uploadId: string, options?: CallOptions): APIPromise<Upload> {
    return this.sender.call(operations.retryUpload, { ids: { upload_id: uploadId }, options });
  }

  /**
   * Uploads a file in parts, by tus 1.0. After a failed part, continues at the offset that the service has. Then the
   * service analyses the file: `wait` waits for that. The timeout applies to each part, and grows by a second for each
   * 64 kB of the part. After an error, `resume` continues with the id that `onProgress` got. Rejects with a
   * BeatMarketError if the file cannot be read. Rejects with an InvalidRequestError if the file is too large, or the
   * account has too many uploads that no beat uses. Permission: `beats:write`.
   */
  upload(file: Uploadable, options: UploadOptions): Promise<Upload> {
    return this.transferUpload(file, options);
  }

  /**
   * Sends the rest of a file whose upload was begun by this process or another one. Rejects with a BeatMarketError if
   * the file cannot be read, or has another size than the upload. Rejects with a NotFoundError if the account has no
   * such upload, or the upload was deleted. Permission: `beats:write`.
   */
  resume(uploadId: string, file: Uploadable, options?: TransferOptions): Promise<Upload> {
    return this.transferResume(uploadId, file, options);
  }

  /**
   * Waits until an upload is ready, for at most ten minutes by default. Rejects with an UploadRejectedError if its file
   * was rejected. Rejects with an APITimeoutError if the upload is neither ready nor rejected in time. Rejects with a
   * NotFoundError if the account has no such upload, or the upload was deleted. Permission: `beats:write`.
   */
  wait(uploadId: string, options?: CallOptions): Promise<Upload> {
    return this.transferWait(uploadId, options);
  }
}

/** What changes in the catalogue, in the order of commits. */
export class Changes extends Resource {
  /**
   * Returns every change of a listed beat, in the order of commits, without gaps and repetitions. With it a program
   * keeps a copy of the catalogue up to date. Begin with an export, then pass `next` as `after`; with `wait`, the
   * response is sent as soon as something changes. Changes are stored for 30 days. Permission: `beats:read`.
   */
  list(query?: ListChangesQuery, options?: CallOptions): APIPromise<ChangePage> {
    return this.sender.call(operations.listChanges, { query, options });
  }
}

/** The events that webhooks deliver, for programs without a public address. */
export class Events extends Resource {
  /**
   * Returns the events of the last 30 days that a webhook endpoint of the account would receive, with the same bodies,
   * in the order of commits, without gaps and repetitions. Programs without a public address use it instead of
   * webhooks. Pass `next` as `after` of the next request; with `wait`, the response is sent as soon as there is an
   * event. Permission: `events:read`.
   */
  list(query?: ListEventsQuery, options?: CallOptions): APIPromise<EventPage> {
    return this.sender.call(operations.listEvents, { query, options });
  }

  /**
   * Returns one of the account's events of the last 30 days, with the body that webhooks have. Permission:
   * `events:read`.
   */
  get(eventId: string, options?: CallOptions): APIPromise<WebhookEvent> {
    return this.sender.call(operations.getEvent, { ids: { event_id: eventId }, options });
  }

  /**
   * Creates in test mode what the event describes, such as an order and its refund. The event and its deliveries
   * follow. It needs a test key.
   */
  trigger(fields: TestEventRequest, options?: CallOptions): APIPromise<TestEvent> {
    return this.sender.call(operations.triggerEvent, { body: fields, options });
  }
}

/** The request log of the key's account. */
export class Requests extends Resource {
  /**
   * Returns the requests of the last 30 days with keys of the account, newest first. A request is in the log a moment
   * after its response. A response searches a bounded part of the log, so it can have fewer requests than `limit` and
   * still a `next`: pass it as `after` of the next request. Permission: `requests:read`.
   */
  list(query?: ListRequestsQuery, options?: CallOptions): APIPromise<RequestPage> {
    return this.sender.call(operations.listRequests, { query, options });
  }

  /**
   * Returns a request of the last 30 days by the `X-Request-Id` of its response: what was sent, without secrets, why it
   * was refused, and the events that it caused. Permission: `requests:read`.
   */
  get(requestId: string, options?: CallOptions): APIPromise<LoggedRequestDetail> {
    return this.sender.call(operations.getRequest, { ids: { request_id: requestId }, options });
  }
}

/** All beats in one file. */
export class Exports extends ExportsTransfers {
  /**
   * Returns all listed beats in one file, compressed with gzip: one line of JSON for each, as in `GET
   * /beats/{beat_id}`, in the order of ids. The file is at most ten minutes old, or older if nothing has changed since.
   * Together with `GET /changes` from its `X-Change-Position` on, it is an exact copy of the catalogue. Each key may
   * download one export an hour, outside of the plan's limits. Resuming an interrupted download with Range does not
   * count. Writes into a file. Resumes after a lost connection. The timeout is the longest wait for the next bytes.
   * Rejects with a RateLimitError if the key took an export within the last hour. Rejects with a BeatMarketError if the
   * file cannot be written. Without a path, `for await` iterates over the beats as they arrive. Files are written on
   * Node, Deno and Bun. Permission: `beats:read`.
   */
  beats(path?: string, options?: CallOptions): Promise<BeatExport> & AsyncIterable<BeatDetail> {
    return this.transferBeats(path, options);
  }
}

/** Services of your own whose time you set. */
export class Sandboxes extends Resource {
  /**
   * Creates a sandbox: a copy of the service with its own data, whose clock stands still until you advance it. A
   * repeated request with the same `Idempotency-Key` creates one sandbox. It needs a test key.
   */
  create(fields: SandboxRequest, options?: CreateOptions): APIPromise<CreatedSandbox> {
    return this.sender.call(operations.createSandbox, { body: fields, options });
  }

  /** Returns the sandboxes of the account, the oldest first. It needs a test key. */
  list(options?: CallOptions): APIPromise<Sandbox[]> {
    return this.sender.call(operations.listSandboxes, { options });
  }

  /** Returns a sandbox with its present time. It needs a test key. */
  get(sandboxId: string, options?: CallOptions): APIPromise<Sandbox> {
    return this.sender.call(operations.getSandbox, { ids: { sandbox_id: sandboxId }, options });
  }

  /** Deletes the sandbox with its database, files and keys at once, and returns it as it was. It needs a test key. */
  delete(sandboxId: string, options?: CallOptions): APIPromise<Sandbox> {
    return this.sender.call(operations.deleteSandbox, { ids: { sandbox_id: sandboxId }, options });
  }

  /**
   * Advances the clock, and executes all that happens until then in the order of time. A request works for up to 10
   * seconds; pass `remaining` as `by` of the next one. It needs a test key.
   */
  advance(sandboxId: string, fields: SandboxAdvanceRequest, options?: CallOptions): APIPromise<SandboxAdvance> {
    return this.sender.call(operations.advanceSandbox, { ids: { sandbox_id: sandboxId }, body: fields, options });
  }

  /**
   * Creates another sandbox with the same time and data, and a key of its own. A repeated request with the same
   * `Idempotency-Key` creates one copy. It needs a test key.
   */
  fork(sandboxId: string, options?: CreateOptions): APIPromise<CreatedSandbox> {
    return this.sender.call(operations.forkSandbox, { ids: { sandbox_id: sandboxId }, options });
  }
}

export class ClientMethods extends Resource {
  /**
   * Returns the best matching beats and producers, up to `limit` of each. Tempos, keys and prices in the text become
   * filters; `interpreted` names them. Totals are exact; `last_page` is the last page of the longer list. `await`
   * returns one page, `for await` iterates over all of them. Permission: `search:read`.
   */
  search(q: string, query?: SearchQuery, options?: CallOptions): List<Beat | Producer, SearchPage> {
    return new List(this.sender, operations.search, { query: { q, ...query }, options });
  }
}
