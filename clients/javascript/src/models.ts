import type { components } from "./contract.ts";

type Schemas = components["schemas"];

/** Opens enumerations for future values: editors offer the known ones, and any string is valid. */
type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends (infer Item)[]
    ? Open<Item>[]
    : T extends object
      ? { [Field in keyof T]: Open<T[Field]> }
      : T;

/** Makes every member optional and nullable. */
type Optional<T> = { [Field in keyof T]?: Open<T[Field]> | null | undefined };

/** The same of query parameters: a list may be a single value, and a time a Date. */
type Parameters<T, Times extends string = "created_after" | "created_before"> = {
  [Name in keyof T]?:
    | (T[Name] extends (infer Item)[] | undefined ? Open<Item> | readonly Open<Item>[] : Open<T[Name]>)
    | (Name extends Times ? Date : never)
    | null
    | undefined;
};

/** Without what only some responses have. */
type Always<T> = { [Field in keyof T as object extends Pick<T, Field> ? never : Field]: T[Field] };

/** A beat in a list. `price` is that of the basic license; `duration` is in seconds, 0 if unknown. */
export type Beat = Open<Always<Schemas["Beat"]>>;
/**
 * A beat with its description, tags and licenses. One of your own has its `status` and what belongs to it; `waveform_url` and
 * `analysis` are in single beats.
 */
export type BeatDetail = Open<Schemas["BeatDetail"]>;
/** A beat and why it is similar; `similarity.score` is 1 for a perfect match. */
export type SimilarBeat = Open<Schemas["SimilarBeat"]>;
/** A public profile. */
export type User = Open<Schemas["User"]>;
/** A public profile with figures about its beats. */
export type Producer = Open<Schemas["Producer"]>;
export type Genre = Open<Schemas["Genre"]>;
/**
 * A purchase. Its status changes from pending to completed or failed, which are final. While it is pending, `next_action` has
 * the page to open in the buyer's browser, if there is something to do.
 */
export type Order = Open<Schemas["Order"]>;
/** What a completed order brings. `files` is empty once the order is refunded in full. */
export type OrderFiles = Open<Schemas["OrderFiles"]>;
/** A file of an order. Whoever has its `url` may download it until it expires. */
export type OrderFile = Open<Schemas["OrderFile"]>;
/** `mp3`, `wav`, `stems` or `license`. */
export type OrderFileKind = Open<Schemas["OrderFile"]["kind"]>;
/** The license of an order. `jws` has its facts, signed; `status` is `valid` or `refunded`. */
export type OrderLicense = Open<Schemas["OrderLicense"]>;
/** A completed order of a beat that the account sold. */
export type Sale = Open<Schemas["Sale"]>;
/** A file that was uploaded. Its status changes from receiving to analysing, then to ready or rejected. */
export type Upload = Open<Schemas["Upload"]>;
/** `audio`, `stems` or `cover`. */
export type UploadKind = Open<Schemas["Upload"]["kind"]>;
/** What was heard in a recording; null where nothing could be told. */
export type Analysis = Open<Schemas["Analysis"]>;
/** A change of a listed beat. `type` is published, updated, sold or withdrawn. */
export type Change = Open<Schemas["Change"]>;
/** A page of changes, in the order of commits. `next` is the position to go on from. */
export interface ChangePage {
  changes: Change[];
  next: number;
}
/** How many beats have each value, by what was asked for: `genre`, `key`, `bpm`, `price`, `tag`. */
export type Facets = Open<NonNullable<Schemas["ListBeatsResult"]["facets"]>>;
/** What was understood of a search, in the names of parameters. */
export type Interpretation = Open<NonNullable<Schemas["SearchResult"]["interpreted"]>>;
/** All results of a search, by type. */
export type SearchTotals = Open<Schemas["SearchResult"]["totals"]>;
export type Pagination = Open<Schemas["Pagination"]>;
/** A beat and, in `changed`, the names of the fields that changed. */
export type BeatUpdated = Open<Schemas["BeatUpdated"]>;
/** A profile and, in `changed`, the names of the fields that changed. */
export type UserUpdated = Open<Schemas["UserUpdated"]>;
/** A completed purchase of a beat. */
export type Purchase = Open<Schemas["Purchase"]>;

/** Fields to change: an absent field is unchanged, null clears it. */
export type ProfileFields = { [Field in keyof Schemas["ProfileFields"]]?: Schemas["ProfileFields"][Field] | undefined };
/** What to buy and how to pay. The payment method is the provider's identifier, never a card number. */
export type NewOrder = Pick<Schemas["OrderRequest"], "beat_id" | "payment_method"> & {
  license_type?: Open<Schemas["OrderRequest"]["license_type"]> | undefined;
};

/** Lets optional members be undefined. */
type Fields<T> = {
  [Field in keyof T]: Open<T[Field]> | (object extends Pick<T, Field> ? undefined : never);
};
/** What a beat is made of. `audio`, `cover` and `stems` are ids of your uploads, `genre` is an id or a name. */
export type NewBeat = Fields<Schemas["BeatFields"]>;
/** Fields to change: an absent field is unchanged, null clears it. */
export type BeatChanges = Fields<Schemas["BeatChanges"]>;

/** `maxItems` limits the items of all pages together; `limit` is the size of one page. */
type Cap = { maxItems?: number | undefined };
export type ListBeatsQuery = Parameters<Schemas["ListBeatsQuery"]> & Cap;
export type ListSimilarBeatsQuery = Optional<Schemas["ListSimilarBeatsQuery"]>;
export type ListProducersQuery = Optional<Schemas["ListProducersQuery"]> & Cap;
export type ListOrdersQuery = Optional<Schemas["ListOrdersQuery"]> & Cap;
export type ListSalesQuery = Parameters<Schemas["ListSalesQuery"], "from" | "to"> & Cap;
export type ListOwnBeatsQuery = Optional<Schemas["ListOwnBeatsQuery"]> & Cap;
export type ListUploadsQuery = Optional<Schemas["ListUploadsQuery"]> & Cap;
export type ListChangesQuery = Optional<Schemas["ListChangesQuery"]>;
/** `type` is one of the event types, or several by comma. */
export type ListEventsQuery = Optional<{ after: number; type: string; limit: number; wait: number }>;
export type SearchQuery = Parameters<Omit<Schemas["SearchQuery"], "q">> & Cap;

/** A page of events, in the order of commits. `next` is the position to go on from. */
export interface EventPage {
  events: WebhookEvent[];
  next: number;
}

interface EventOf<Type extends string, Data> {
  /** The same for every delivery of the event. */
  id: string;
  /** Unix time in seconds. */
  created: number;
  type: Type;
  data: Data;
}

/** A webhook event. Unknown types are passed on in the same shape. */
export type WebhookEvent =
  | EventOf<"beat.created", Beat>
  | EventOf<"beat.updated", BeatUpdated>
  | EventOf<"beat.purchased", Purchase>
  | EventOf<"user.registered", User>
  | EventOf<"user.updated", UserUpdated>;
