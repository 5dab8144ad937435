import type { CatalogueQueries } from "../../catalogue-index/query.ts";
import type { Queryable, ReadServer } from "../../database/connection/connect.ts";
import type { BeatCatalogue } from "../../resources/beats/catalogue/beat-catalogue.ts";
import { licensesOf } from "../../resources/beats/licensing/licenses.ts";
import { listBeats } from "../../resources/beats/list-beats.ts";
import { showBeat } from "../../resources/beats/publishing/own-beats.ts";
import type { SingleBeat } from "../../resources/beats/publishing/production.ts";
import { beatReference, singleBeatReference } from "../../resources/beats/reference.ts";
import { BeatId } from "../../resources/beats/schema.ts";
import { listGenres } from "../../resources/genres/queries.ts";
import { readBlocks, withNames } from "../../resources/licenses/terms/blocks.ts";
import { findTerms } from "../../resources/licenses/terms/terms.ts";
import type { Shop } from "../../resources/orders/checkout/checkout.ts";
import { placeOrder } from "../../resources/orders/checkout/place-order.ts";
import { offeredFiles } from "../../resources/orders/delivery/offered-files.ts";
import { orderFields } from "../../resources/orders/reference.ts";
import { OrderRequest, OrderSchema } from "../../resources/orders/schema.ts";
import { searchPage } from "../../resources/search/search-page.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { testMethods } from "./payment-methods.ts";
import { MarketBeat, MarketBeats, MarketOptions, MarketQuery } from "./schema.ts";

export interface MarketParts {
  beatsOn: (server: ReadServer) => BeatCatalogue;
  index: CatalogueQueries;
  checkout: Shop;
  /** Beats of this source get their recording once somebody buys one; null without such. */
  madeSource: string | null;
}

const tag = "Market";
const beatsPerPage = 20;

/** Find, hear and buy. */
export const marketRoutes = ({ beatsOn, index, checkout, madeSource }: MarketParts): PortalRoute[] => [
  portalRoute({
    operationId: "getMarketOptions",
    method: "GET",
    path: "/market/options",
    tag,
    summary: "What to choose among: genres, and payment methods",
    response: MarketOptions,
    handle: async ({ db }) => {
      const provider = checkout.payments[0].name;
      return {
        genres: (await listGenres(db)).map(({ id, name }) => ({ id, name })),
        currency: checkout.currency,
        provider,
        payment_methods: provider === "sandbox" ? testMethods : [],
      };
    },
  }),
  portalRoute({
    operationId: "listMarketBeats",
    method: "GET",
    path: "/market/beats",
    tag,
    summary: "Beats on sale, by words, tempo, key and genre",
    query: MarketQuery,
    response: MarketBeats,
    handle: async ({ db, server, query: { q = "", genre, sort, page } }) => {
      const request = { ...(genre !== undefined && { genre: [genre] }), page, limit: beatsPerPage };
      const rows = beatsOn(server);
      const search = { ...request, q, type: "beats", sort: sort ?? "relevance", interpret: true } as const;
      const found =
        q.trim() === ""
          ? await listBeats({ index, rows }, { ...request, sort: sort ?? "newest" }, undefined)
          : await searchPage({ index, rows, db }, search, undefined);
      return {
        beats: found.items.flatMap((item) => {
          if ("title" in item) return [beatReference(item, checkout)];
          return item.kind === "beat" ? [beatReference(item.beat, checkout)] : [];
        }),
        page: found.page,
        last_page: found.lastPage,
        total: found.total,
      };
    },
  }),
  portalRoute({
    operationId: "getMarketBeat",
    method: "GET",
    path: "/market/beats/:beat_id",
    tag,
    summary: "A beat with its licenses: price, files and terms in full",
    params: BeatId,
    response: MarketBeat,
    handle: async ({ db, server, account, params }) => {
      const shown = await showBeat({ rows: beatsOn(server), primary: db }, params.beat_id, account.userId);
      return {
        ...singleBeatReference(shown, { publicUrl: checkout.publicUrl, path: "", query: "" }),
        is_own: shown.isOwn,
        licenses: await offeredLicenses(db, shown.beat, { termsVersion: checkout.termsVersion, madeSource }),
      };
    },
  }),
  portalRoute({
    operationId: "createMarketOrder",
    method: "POST",
    path: "/market/orders",
    tag,
    summary: "Buy a license; with an Idempotency-Key, a repeated request never buys twice",
    body: OrderRequest,
    status: 201,
    response: OrderSchema,
    refusals: [404, 409],
    idempotent: true,
    changesCatalogue: (order) => (order as { license_type: string }).license_type === "exclusive",
    handle: async ({ account, requestId, idempotencyRun, body }) => {
      const order = await placeOrder(checkout, {
        userId: account.userId,
        beatId: body.beat_id,
        licenseType: body.license_type,
        paymentMethod: body.payment_method,
        run: idempotencyRun,
        requestId,
      });
      return orderFields(order, checkout.publicUrl);
    },
  }),
];

async function offeredLicenses(
  db: Queryable,
  beat: SingleBeat,
  { termsVersion, madeSource }: { termsVersion: string; madeSource: string | null },
) {
  const files = await offeredFiles(db, beat.id, madeSource);
  const names = { beat: beat.title, producer: beat.producer_name };
  return Promise.all(
    licensesOf(beat).map(async (license) => {
      const { version, title, text } = await findTerms(db, termsVersion, license.type);
      const blocks = readBlocks(text).map(({ kind, text: its }) => ({ kind, text: withNames(its, names) }));
      return { ...license, files: files[license.type], terms: { version, title, blocks } };
    }),
  );
}
