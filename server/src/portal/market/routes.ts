import { unprintableIn } from "@beatmarket/documents/unprintable.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { readBlocks, withNames } from "@beatmarket/license-terms/terms-text.ts";
import { sql } from "kysely";
import Type from "typebox";
import type { Queryable, ReadServer } from "../../database/connect.ts";
import type { BeatCatalogue } from "../../resources/beats/catalogue/beat-catalogue.ts";
import { singleBeatReference } from "../../resources/beats/present.ts";
import type { SingleBeat } from "../../resources/beats/production.ts";
import { showBeat } from "../../resources/beats/publishing/own-beats.ts";
import { BeatId, ReferenceBeatDetail } from "../../resources/beats/schema.ts";
import { shownSql } from "../../resources/beats/state.ts";
import { addFavorites, removeFavorite } from "../../resources/favorites/favorites.ts";
import { follow, unfollow } from "../../resources/follows/follows.ts";
import { findFreeBeat } from "../../resources/free-downloads/free-downloads.ts";
import type { CheckoutDependencies } from "../../resources/orders/checkout.ts";
import { fileKinds } from "../../resources/orders/fulfilment/fulfilment.ts";
import { type OfferParts, offeredLicenses } from "../../resources/orders/fulfilment/offered-licenses.ts";
import { findOwned } from "../../resources/orders/queries.ts";
import { findProducerPaths } from "../../resources/users/producers.ts";
import { findProfile } from "../../resources/users/queries.ts";
import { type PortalRoute, portalRoute, publicPortalRoute } from "../route.ts";

const tag = "Market";
const closed = { additionalProperties: false };

const Kept = Type.Object(
  {
    favorite: Type.Boolean({ description: "Whether the beat is one of the person's favorites." }),
    following: Type.Boolean({ description: "Whether the person follows the beat's producer." }),
  },
  { $id: "Kept", ...closed },
);

/**
 * A person's favorite beats and followed producers. They belong to the person, even while the person acts as an
 * organisation.
 */
export const keptRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getKept",
    permission: "self",
    method: "GET",
    path: "/market/beats/:beat_id/kept",
    tag,
    summary: "Get whether a beat is a favorite, and whether the person follows its producer",
    params: BeatId,
    response: Kept,
    handle: async ({ db, account, params }) =>
      withoutProducer(await findFavoriteState(db, account.personId, params.beat_id)),
  }),
  portalRoute({
    operationId: "changeKept",
    permission: "self",
    method: "PATCH",
    path: "/market/beats/:beat_id/kept",
    tag,
    summary:
      "Add a beat to the favorites or remove it, and follow or unfollow its producer; an omitted field stays the same",
    params: BeatId,
    body: Type.Object(
      { favorite: Type.Optional(Type.Boolean()), following: Type.Optional(Type.Boolean()) },
      { minProperties: 1, ...closed },
    ),
    response: Kept,
    refusals: [409],
    handle: async ({ db, clock, account, params, body }) => {
      const userId = account.personId;
      const now = new Date(clock.nowMs());
      const { producer_id: producerId } = await findFavoriteState(db, userId, params.beat_id);
      if (body.favorite === true) await addFavorites(db, { userId, beatIds: [params.beat_id], now });
      if (body.favorite === false) await removeFavorite(db, userId, params.beat_id);
      if (body.following === true) await follow(db, { userId, producerId, now });
      if (body.following === false) await unfollow(db, userId, producerId);
      return withoutProducer(await findFavoriteState(db, userId, params.beat_id));
    },
  }),
];

const withoutProducer = ({ favorite, following }: Type.Static<typeof Kept>) => ({ favorite, following });

/** Whether a beat is a favorite and its producer is followed. Throws 404 unless the beat is public or a favorite. */
async function findFavoriteState(db: Queryable, userId: number, beatId: number) {
  const { rows } = await sql<Type.Static<typeof Kept> & { producer_id: number; shown: boolean }>`
    select beats.user_id as producer_id,
      exists (select from favorites where user_id = ${userId} and beat_id = beats.id) as favorite,
      exists (select from follows where user_id = ${userId} and producer_id = beats.user_id) as following,
      ${sql.raw(shownSql)} as shown
    from beats where id = ${beatId}`.execute(db);
  const [row] = rows;
  if (row === undefined || !(row.shown || row.favorite)) throw notFound(`There is no beat ${beatId}.`);
  return row;
}

const MarketOptions = Type.Object(
  {
    currency: Type.String({ description: "The currency of all prices, by ISO 4217." }),
    provider: Type.Enum(["sandbox", "stripe"], { description: "The provider that charges new orders." }),
  },
  closed,
);

const Terms = Type.Object(
  {
    version: Type.String(),
    title: Type.String(),
    blocks: Type.Array(
      Type.Object({ kind: Type.Enum(["heading", "paragraph", "item"]), text: Type.String() }, closed),
      { description: "The whole text of the terms, with the names of the beat and the producer." },
    ),
  },
  { $id: "OfferedTerms", ...closed },
);

const MarketBeat = Type.Object(
  {
    beat: ReferenceBeatDetail,
    is_own: Type.Boolean({ description: "Whether the beat is the account's own, which it cannot buy." }),
    owned: Type.Array(
      Type.Object(
        {
          license_type: Type.Enum([...licenseTypes]),
          order_id: Type.Integer(),
          status: Type.Enum(["completed", "pending"]),
        },
        closed,
      ),
      { description: "The licenses of the beat that the account has or is paying for, each with its newest order." },
    ),
    licenses: Type.Array(
      Type.Object(
        {
          type: Type.Enum([...licenseTypes]),
          price: Type.Number(),
          available: Type.Boolean(),
          files: Type.Array(Type.Enum([...fileKinds]), { description: "The files that a buyer gets today." }),
          terms: Terms,
        },
        { $id: "OfferedLicense", ...closed },
      ),
    ),
    unprintable: Type.Array(Type.String(), {
      description:
        "The characters that the PDF certificate prints as boxes, of the title and the names of producer and account; at most ten.",
    }),
  },
  closed,
);

const MarketLicenses = Type.Object(
  {
    licenses: Type.Array(
      Type.Object(
        {
          type: Type.Enum([...licenseTypes]),
          price: Type.Number(),
          available: Type.Boolean(),
          allows: Type.Array(Type.Object({ name: Type.String(), text: Type.String() }, closed), {
            description: "The same terms in the same order for each license.",
          }),
        },
        closed,
      ),
    ),
    free_download: Type.Boolean({
      description: "Whether the public page offers the tagged MP3 in return for an e-mail address.",
    }),
  },
  closed,
);

const ProducerPaths = Type.Object(
  {
    producers: Type.Array(
      Type.Object(
        { id: Type.Integer(), path: Type.String({ description: "The path of the public page on this server." }) },
        closed,
      ),
      { description: "The producers that have a public page." },
    ),
  },
  closed,
);

/** The user id for a request without a session. It sees only public data. */
const noUser = 0;

export interface MarketParts {
  beatsOn: (server: ReadServer) => BeatCatalogue;
  checkout: CheckoutDependencies;
  /** The source of beats whose recording is generated after an order. Null if there are no such beats. */
  generatedSource: string | null;
}

/** The routes of the catalogue's pages in addition to the public API, such as the terms of a beat's licenses. */
export function marketRoutes({ beatsOn, checkout, generatedSource }: MarketParts): PortalRoute[] {
  const offer = () => ({ termsVersion: checkout.termsVersion, generatedSource });
  return [
    publicPortalRoute({
      operationId: "getMarketOptions",
      method: "GET",
      path: "/market/options",
      tag,
      summary: "Get the currency of prices, and the provider of payments",
      response: MarketOptions,
      handle: async () => ({ currency: checkout.currency, provider: checkout.payments[0].name }),
    }),
    publicPortalRoute({
      operationId: "listProducerPaths",
      method: "GET",
      path: "/market/producers",
      tag,
      summary: "Get the paths of producers' public pages",
      query: Type.Object({
        ids: Type.Array(Type.Integer(), {
          minItems: 1,
          maxItems: 100,
          description: "The ids of the accounts, separated by commas.",
        }),
      }),
      response: ProducerPaths,
      handle: async ({ db, query: { ids } }) => ({
        producers: [...(await findProducerPaths(db, ids))].map(([id, path]) => ({ id, path })),
      }),
    }),
    portalRoute({
      operationId: "getMarketBeat",
      permission: "account:read",
      method: "GET",
      path: "/market/beats/:beat_id",
      tag,
      summary: "Get a beat with its licenses: price, files and terms in full",
      params: BeatId,
      response: MarketBeat,
      handle: async ({ db, server, account, params }) => {
        const beat = await showBeat({ catalogue: beatsOn(server), primary: db }, params.beat_id, account.userId);
        return {
          ...singleBeatReference(beat, { publicUrl: checkout.publicUrl, path: "", query: "" }),
          is_own: beat.isOwn,
          owned: await findOwned(db, account.userId, beat.beat.id),
          licenses: await licensesWithTerms(db, beat.beat, offer()),
          unprintable: await unprintableIn([
            beat.beat.title,
            beat.beat.producer_name,
            (await findProfile(db, account.userId)).display_name,
          ]),
        };
      },
    }),
    publicPortalRoute({
      operationId: "listMarketLicenses",
      method: "GET",
      path: "/market/beats/:beat_id/licenses",
      tag,
      summary: "List what each license of a beat contains and allows",
      params: BeatId,
      response: MarketLicenses,
      handle: async ({ db, server, params }) => {
        const { beat } = await showBeat({ catalogue: beatsOn(server), primary: db }, params.beat_id, noUser);
        const licenses = await offeredLicenses(db, beat, offer());
        const now = new Date(checkout.clock.nowMs());
        return {
          licenses: licenses.map(({ type, price, available, allows }) => ({ type, price, available, allows })),
          free_download: beat.has_free_download && (await findFreeBeat(db, beat.id, now)) !== undefined,
        };
      },
    }),
  ];
}

/** The licenses of a beat with their full terms. */
async function licensesWithTerms(db: Queryable, beat: SingleBeat, parts: OfferParts) {
  const names = { beat: beat.title, producer: beat.producer_name };
  return (await offeredLicenses(db, beat, parts)).map(({ terms: { version, title, text }, allows, ...license }) => {
    const blocks = readBlocks(text).map(({ kind, text: template }) => ({ kind, text: withNames(template, names) }));
    return { ...license, terms: { version, title, blocks } };
  });
}
