/**
 * Names of objects and enumerations that have none in the document, by the object and the field that they stand in.
 * Others are named after that place: `Order.next_action` would be OrderNextAction.
 */
export const names: Readonly<Record<string, string>> = {
  "Beat.genre": "GenreName",
  "BeatDetail.bpm_source": "FieldSource",
  "BeatDetail.licenses": "License",
  "BeatDetail.status": "BeatStatus",
  "BeatDetail.license_settings": "LicenseSettings",
  "LicenseSettings.basic": "LicenseSetting",
  "LicenseSettings.premium": "LicenseSetting",
  "LicenseSettings.unlimited": "LicenseSetting",
  "LicenseSettings.exclusive": "LicenseSetting",
  "LicenseSetting.limits": "LicenseLimits",
  "BeatFields.license_settings": "NewLicenseSettings",
  "BeatChanges.license_settings": "NewLicenseSettings",
  "NewLicenseSettings.basic": "NewLicenseSetting",
  "NewLicenseSettings.premium": "NewLicenseSetting",
  "NewLicenseSettings.unlimited": "NewLicenseSetting",
  "NewLicenseSettings.exclusive": "NewLicenseSetting",
  "NewLicenseSetting.limits": "LicenseLimits",
  "BeatFields.license_prices": "LicensePrices",
  "BeatFields.status": "NewBeatStatus",
  "Facets.bpm": "FacetCount",
  "Facets.genre": "FacetCount",
  "Facets.key": "FacetCount",
  "Facets.price": "FacetCount",
  "Facets.tag": "FacetCount",
  "Order.next_action": "NextAction",
  "OrderFile.kind": "FileKind",
  "IssuedLicense.status": "LicenseStatus",
  "Checkout.items": "CheckoutItem",
  "CheckoutRequest.items": "NewCheckoutItem",
  "Checkout.discounts": "AppliedDiscount",
  "QuoteRequest.items": "NewQuoteItem",
  "Quote.items": "QuoteItem",
  "Quote.discounts": "QuoteDiscount",
  "Quote.rules": "QuoteRule",
  "QuoteRule.kind": "DiscountKind",
  "SimilarBeat.similarity": "Similarity",
  "Similarity.key_relation": "KeyRelation",
  "listBeats.facets": "Facets",
  "listBeats.query.facets": "FacetName",
  "listBeats.query.license": "LicenseType",
  "listBeats.query.sort": "BeatSort",
  "listUploads.storage": "StorageUse",
  "listProducers.query.sort": "ProducerSort",
  "search.facets": "Facets",
  "search.interpreted": "Interpretation",
  "search.query.sort": "SearchSort",
  "search.query.type": "SearchType",
  "search.totals": "SearchTotals",
};

/** What these objects are; where they stand, the document only says what they are there for. */
export const descriptions: Readonly<Record<string, string>> = {
  FacetCount: "How many beats have a value, or are in a range of values.",
  Facets: "How many beats have each value, by what was asked for.",
  GenreName: "The genre of a beat or producer.",
  Interpretation: "What was understood of a search, in the names of parameters.",
  License: "A license of a beat and its price.",
  LicenseSettings: "Which licenses of a beat are sold, and with which limits.",
  LicenseSetting: "Whether a license is sold, its price, and its limits.",
  NewLicenseSettings: "Which licenses of a beat are to be sold, and with which limits.",
  NewLicenseSetting: "Whether a license is to be sold, and its limits.",
  LicenseLimits: "Limits of a license that its producer changed.",
  LicensePrices: "Prices of the licenses beside the basic one.",
  NextAction: "What the buyer has to do to pay.",
  CheckoutItem: "A license that a checkout buys.",
  NewCheckoutItem: "A license that a new checkout is to buy.",
  AppliedDiscount: "What a discount takes off a checkout.",
  NewQuoteItem: "A license to quote.",
  QuoteItem: "A license of a quote, with its price.",
  QuoteDiscount: "What a discount would take off.",
  QuoteRule: "A discount that was tried, and why it applies or not.",
  OrderBeat: "The beat of an order, as it was when it was bought.",
  SaleBeat: "The beat of a sale, with its title when it was bought.",
  SaleBuyer: "The buyer of a sale.",
  SearchTotals: "All results of a search, by type.",
  StorageUse: "How much of the storage an account's files take, and may take.",
  Similarity: "How similar a beat is, and why.",
};

/** The parts of a client. */
export const resources: Readonly<Record<string, string>> = {
  beats: "The beats on sale, and your own.",
  users: "Public profiles, and your own.",
  producers: "Users who sell beats.",
  genres: "The genres of the catalogue.",
  checkouts: "Payments of one or more licenses, on a page of their own.",
  quotes: "What purchases would cost, with discounts.",
  favorites: "Beats that the key's account keeps.",
  playlists: "Lists of beats: your own, and public ones.",
  orders: "The purchases of the key's account.",
  sales: "What the key's account sold.",
  uploads: "Files that become beats.",
  changes: "What changes in the catalogue, in the order of commits.",
  events: "What webhooks deliver, for those without a public address.",
  exports: "All beats in one file.",
};

/** Models that are kinds of others. */
export const parents: Readonly<Record<string, string>> = {
  BeatDetail: "Beat",
  SimilarBeat: "Beat",
  BeatUpdated: "Beat",
  Producer: "User",
  PlaylistDetail: "Playlist",
  UserUpdated: "User",
};

/** Schemas that lists have only with `ids` or `fields`; clients give these as the other model. */
export const detailed: Readonly<Record<string, string>> = { Beat: "BeatDetail" };

/** The error of each code; the codes are the document's. */
export const errorsByCode: Readonly<Record<string, string>> = {
  invalid_request: "InvalidRequestError",
  unauthorized: "AuthenticationError",
  forbidden: "PermissionDeniedError",
  not_found: "NotFoundError",
  rate_limit_exceeded: "RateLimitError",
  server_error: "ServerError",
};
