// Generated from contract/openapi.json by npm run contract; do not edit.

/** What an operation sends, and where its result is in the `data` of the response. */
export interface Operation {
  readonly method: string;
  /** Below the base URL, with ids in braces. */
  readonly path: string;
  /** An object or a list under the key, all of `data` with lists under the keys, the same in pages, or nothing. */
  readonly kind: "object" | "array" | "data" | "pages" | "none";
  readonly keys: readonly string[];
}

/** @internal */
export const operations = {
  listBeats: { method: "GET", path: "/beats", kind: "pages", keys: ["beats"] },
  createBeat: { method: "POST", path: "/beats", kind: "object", keys: ["beat"] },
  getBeat: { method: "GET", path: "/beats/{beat_id}", kind: "object", keys: ["beat"] },
  updateBeat: { method: "PATCH", path: "/beats/{beat_id}", kind: "object", keys: ["beat"] },
  withdrawBeat: { method: "DELETE", path: "/beats/{beat_id}", kind: "object", keys: ["beat"] },
  listSimilarBeats: { method: "GET", path: "/beats/{beat_id}/similar", kind: "array", keys: ["beats"] },
  listOwnBeats: { method: "GET", path: "/users/me/beats", kind: "pages", keys: ["beats"] },
  getUser: { method: "GET", path: "/users/{user_id}", kind: "object", keys: ["user"] },
  updateProfile: { method: "PUT", path: "/users/profile", kind: "object", keys: ["user"] },
  listProducers: { method: "GET", path: "/producers", kind: "pages", keys: ["producers"] },
  listGenres: { method: "GET", path: "/genres", kind: "array", keys: ["genres"] },
  search: { method: "GET", path: "/search", kind: "pages", keys: ["beats", "producers"] },
  listOrders: { method: "GET", path: "/orders", kind: "pages", keys: ["orders"] },
  createOrder: { method: "POST", path: "/orders", kind: "object", keys: ["order"] },
  getOrder: { method: "GET", path: "/orders/{order_id}", kind: "object", keys: ["order"] },
  createCheckout: { method: "POST", path: "/checkouts", kind: "object", keys: ["checkout"] },
  getCheckout: { method: "GET", path: "/checkouts/{checkout_id}", kind: "object", keys: ["checkout"] },
  createQuote: { method: "POST", path: "/quotes", kind: "object", keys: ["quote"] },
  listSales: { method: "GET", path: "/users/me/sales", kind: "pages", keys: ["sales"] },
  exportSales: { method: "GET", path: "/users/me/sales.csv", kind: "none", keys: [] },
  listOrderFiles: { method: "GET", path: "/orders/{order_id}/files", kind: "data", keys: [] },
  downloadOrderArchive: { method: "GET", path: "/orders/{order_id}/archive", kind: "none", keys: [] },
  listOrderInvoices: { method: "GET", path: "/orders/{order_id}/invoices", kind: "array", keys: ["invoices"] },
  askLicense: { method: "POST", path: "/licenses/{license_id}/may", kind: "object", keys: ["verdict"] },
  listLicenseUsage: { method: "GET", path: "/licenses/{license_id}/usage", kind: "object", keys: ["usage"] },
  reportLicenseUsage: { method: "POST", path: "/licenses/{license_id}/usage", kind: "object", keys: ["usage"] },
  upgradeLicense: { method: "POST", path: "/licenses/{license_id}/upgrade", kind: "object", keys: ["order"] },
  listFavorites: { method: "GET", path: "/users/me/favorites", kind: "pages", keys: ["beats"] },
  addFavorite: { method: "PUT", path: "/users/me/favorites/{beat_id}", kind: "object", keys: ["favorite"] },
  removeFavorite: { method: "DELETE", path: "/users/me/favorites/{beat_id}", kind: "object", keys: ["favorite"] },
  listFollowing: { method: "GET", path: "/users/me/following", kind: "pages", keys: ["users"] },
  followUser: { method: "PUT", path: "/users/me/following/{user_id}", kind: "object", keys: ["follow"] },
  unfollowUser: { method: "DELETE", path: "/users/me/following/{user_id}", kind: "object", keys: ["follow"] },
  listPlaylists: { method: "GET", path: "/playlists", kind: "pages", keys: ["playlists"] },
  createPlaylist: { method: "POST", path: "/playlists", kind: "object", keys: ["playlist"] },
  getPlaylist: { method: "GET", path: "/playlists/{playlist_id}", kind: "object", keys: ["playlist"] },
  updatePlaylist: { method: "PATCH", path: "/playlists/{playlist_id}", kind: "object", keys: ["playlist"] },
  deletePlaylist: { method: "DELETE", path: "/playlists/{playlist_id}", kind: "object", keys: ["playlist"] },
  addPlaylistBeat: {
    method: "PUT",
    path: "/playlists/{playlist_id}/beats/{beat_id}",
    kind: "object",
    keys: ["playlist"],
  },
  removePlaylistBeat: {
    method: "DELETE",
    path: "/playlists/{playlist_id}/beats/{beat_id}",
    kind: "object",
    keys: ["playlist"],
  },
  listUploads: { method: "GET", path: "/uploads", kind: "pages", keys: ["uploads"] },
  deleteUpload: { method: "DELETE", path: "/uploads/{upload_id}", kind: "none", keys: [] },
  getUpload: { method: "GET", path: "/uploads/{upload_id}", kind: "object", keys: ["upload"] },
  retryUpload: { method: "POST", path: "/uploads/{upload_id}/retry", kind: "object", keys: ["upload"] },
  listChanges: { method: "GET", path: "/changes", kind: "data", keys: ["changes"] },
  listEvents: { method: "GET", path: "/events", kind: "data", keys: ["events"] },
  getEvent: { method: "GET", path: "/events/{event_id}", kind: "object", keys: ["event"] },
  listRequests: { method: "GET", path: "/requests", kind: "data", keys: [] },
  getRequest: { method: "GET", path: "/requests/{request_id}", kind: "object", keys: ["request"] },
  exportBeats: { method: "GET", path: "/exports/beats.ndjson.gz", kind: "none", keys: [] },
  createSandbox: { method: "POST", path: "/test/sandboxes", kind: "object", keys: ["sandbox"] },
  listSandboxes: { method: "GET", path: "/test/sandboxes", kind: "array", keys: ["sandboxes"] },
  getSandbox: { method: "GET", path: "/test/sandboxes/{sandbox_id}", kind: "object", keys: ["sandbox"] },
  deleteSandbox: { method: "DELETE", path: "/test/sandboxes/{sandbox_id}", kind: "object", keys: ["sandbox"] },
  advanceSandbox: { method: "POST", path: "/test/sandboxes/{sandbox_id}/advance", kind: "object", keys: ["advance"] },
  forkSandbox: { method: "POST", path: "/test/sandboxes/{sandbox_id}/fork", kind: "object", keys: ["sandbox"] },
  triggerEvent: { method: "POST", path: "/test/events", kind: "object", keys: ["test_event"] },
} as const satisfies Readonly<Record<string, Operation>>;

/** The name of the error of each code of the API. */
export const errorCodes = {
  invalid_request: "InvalidRequestError",
  unauthorized: "AuthenticationError",
  forbidden: "PermissionDeniedError",
  not_found: "NotFoundError",
  rate_limit_exceeded: "RateLimitError",
  server_error: "ServerError",
} as const;
