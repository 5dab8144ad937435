import type { components } from "./contract.ts";

type Schemas = components["schemas"];

/** A type whose enumerations may get further values one day: the known ones are offered, none is refused. */
type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends (infer Item)[]
    ? Open<Item>[]
    : T extends object
      ? { [Field in keyof T]: Open<T[Field]> }
      : T;

/** What a caller may leave out, as undefined or as null. */
type Optional<T> = { [Field in keyof T]?: Open<T[Field]> | null | undefined };

/** A beat as lists have it. `price` is the basic license's; `duration` is in seconds, 0 when unknown. */
export type Beat = Open<Schemas["Beat"]>;
/** A beat with its description, tags and licenses. */
export type BeatDetail = Open<Schemas["BeatDetail"]>;
/** A beat with what makes it similar; `similarity.score` is 1 for a perfect match. */
export type SimilarBeat = Open<Schemas["SimilarBeat"]>;
/** A public profile. */
export type User = Open<Schemas["User"]>;
/** A public profile with what it sells. */
export type Producer = Open<Schemas["Producer"]>;
export type Genre = Open<Schemas["Genre"]>;
/** A purchase: pending becomes completed or failed, and both are final. */
export type Order = Open<Schemas["Order"]>;
export type Pagination = Open<Schemas["Pagination"]>;
/** A beat and, in `changed`, the names of the fields that changed. */
export type BeatUpdated = Open<Schemas["BeatUpdated"]>;
/** A profile and, in `changed`, the names of the fields that changed. */
export type UserUpdated = Open<Schemas["UserUpdated"]>;
/** A beat that was paid for. */
export type Purchase = Open<Schemas["Purchase"]>;

/** Fields to change: an absent one stays, null clears. */
export type ProfileFields = { [Field in keyof Schemas["ProfileFields"]]?: Schemas["ProfileFields"][Field] | undefined };
/** What to buy, and how to pay for it: the payment provider's identifier, never a card number. */
export type NewOrder = Pick<Schemas["NewOrder"], "beat_id" | "payment_method"> & {
  license_type?: Open<Schemas["NewOrder"]["license_type"]> | undefined;
};

/** How long to loop: `maxItems` caps the items of all pages together; `limit` is the size of one page. */
type Cap = { maxItems?: number | undefined };
export type ListBeatsQuery = Optional<Schemas["ListBeatsQuery"]> & Cap;
export type ListSimilarBeatsQuery = Optional<Schemas["ListSimilarBeatsQuery"]>;
export type ListProducersQuery = Optional<Schemas["ListProducersQuery"]> & Cap;
export type ListOrdersQuery = Optional<Schemas["ListOrdersQuery"]> & Cap;
export type SearchQuery = Optional<Omit<Schemas["SearchQuery"], "q">> & Cap;

interface EventOf<Type extends string, Data> {
  /** The same for every delivery of the event. */
  id: string;
  /** Unix time in seconds. */
  created: number;
  type: Type;
  data: Data;
}

/** What a webhook tells. Types that this version does not know arrive as well, in the same shape. */
export type WebhookEvent =
  | EventOf<"beat.created", Beat>
  | EventOf<"beat.updated", BeatUpdated>
  | EventOf<"beat.purchased", Purchase>
  | EventOf<"user.registered", User>
  | EventOf<"user.updated", UserUpdated>;
