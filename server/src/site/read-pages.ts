import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import { unprintableIn } from "@beatmarket/documents/unprintable.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import { type Call, type Connection, queryString, rawCall } from "../../../contract/snippets/call.ts";
import type { Queryable, ReadServer } from "../database/connect.ts";
import type { BeatCatalogue } from "../resources/beats/catalogue/beat-catalogue.ts";
import type { FilterQuery } from "../resources/beats/filters/read-filters.ts";
import { type BeatsRequest, findSimilarBeats, listBeats } from "../resources/beats/list-beats.ts";
import { beatReference, beatsReference, similarReference, singleBeatReference } from "../resources/beats/present.ts";
import { showBeat } from "../resources/beats/publishing/own-beats.ts";
import { presentFacets } from "../resources/beats/wire.ts";
import { consentTo, findFreeBeat } from "../resources/free-downloads/free-downloads.ts";
import { countSold } from "../resources/licenses/log/leaves.ts";
import { offeredLicenses } from "../resources/orders/fulfilment/offered-licenses.ts";
import { searchPage, searchReference } from "../resources/search/search-page.ts";
import { findUsernames, producerPath } from "../resources/users/producers.ts";
import type { BeatPage } from "./html/beat.ts";
import { factsOf, type ShownBeat, type ShownSimilar } from "./html/beats.ts";
import type { RunnableCall } from "./html/call.ts";
import type { Home, Results } from "./html/catalogue.ts";

import { addressOf, beatsPerPage, callOf, similarCallOf, type View } from "./view.ts";

/**
 * Example searches that find one of these beats: by tempo and key, by genre and tempos, by a title with a typing error.
 */
function triesOf(beats: readonly ShownBeat[]): string[] {
  const inKey = beats.find(({ key }) => key !== "");
  const [first] = beats;
  const inGenre = beats.find(({ genre }) => genre.id !== first?.genre.id) ?? first;
  const titled = beats.map(({ title }) => /^[A-Za-z]{6,}/.exec(title)?.[0]).find((word) => word !== undefined);
  return [
    ...(inKey === undefined ? [] : [`${inKey.bpm} bpm ${inKey.key}`]),
    ...(inGenre === undefined ? [] : [`${inGenre.genre.name} ${Math.max(1, inGenre.bpm - 5)}-${inGenre.bpm + 5} bpm`]),
    ...(titled === undefined ? [] : [swapLetters(titled)]),
  ].map((text) => text.toLowerCase());
}

/** Makes a typing error: swaps two letters in the middle of a word. */
function swapLetters(word: string): string {
  const index = Math.floor(word.length / 2);
  return `${word.slice(0, index - 1)}${word[index]}${word[index - 1]}${word.slice(index + 1)}`;
}

export interface SiteParts {
  server: ReadServer;
  beatsOn: (server: ReadServer) => BeatCatalogue;
  index: CatalogueQueries;
  publicUrl: string;
  /** The currency of prices (ISO 4217). */
  currency: string;
  /** The connection that the programs on the pages use. */
  connection: Connection;
  /** The current terms of licenses. */
  termsVersion: string;
  /** The source of beats whose recording is generated after an order; null if there are no such beats. */
  generatedSource: string | null;
  clock: Clock;
}

interface Suggestion {
  id: number;
  title: string;
  producer_name: string;
  /** Tempo, key and genre. */
  facts: string;
}

const popularBeats: View = { q: "", sort: "popular", page: 1 };
const similarShown = 5;
const othersShown = 6;
const newestShown = 12;
const suggestedBeats = 5;
/** The user id for a reader without a session. It sees only public data. */
const noUser = 0;

/** Reads the content of the public pages with the queries of the API, in its reference form. */
export class SitePages {
  readonly #parts: SiteParts;
  readonly #catalogue: BeatCatalogue;
  readonly #db: Queryable;

  constructor(parts: SiteParts) {
    this.#parts = parts;
    this.#catalogue = parts.beatsOn(parts.server);
    this.#db = parts.server.query;
  }

  async home(view: View): Promise<Home> {
    const [results, call, popular] = await Promise.all([
      this.results(view),
      this.viewCall(view),
      addressOf(view) === "/" ? null : this.results(popularBeats),
    ]);
    const featured = (popular ?? results).beats;
    const [beat] = featured;
    return {
      results,
      call,
      tries: triesOf(featured),
      alike: beat === undefined ? null : { beat, similar: await this.#similar(beat.id, similarShown) },
    };
  }

  async results(view: View): Promise<Results> {
    const { beats, pagination, interpreted } = await this.#find(view, beatsPerPage);
    return {
      view,
      beats: await this.#withPaths(beats),
      total: pagination.total,
      interpreted,
      currency: this.#parts.currency,
    };
  }

  /** The first beats of a view, for the search dialog. */
  async suggestions(view: View): Promise<{ beats: Suggestion[] }> {
    const { beats } = await this.#find(view, suggestedBeats);
    return {
      beats: beats.map((beat) => ({
        id: beat.id,
        title: beat.title,
        producer_name: beat.producer_name,
        facts: factsOf(beat),
      })),
    };
  }

  /** The view's call, with the API's response to it. */
  async viewCall(view: View): Promise<RunnableCall> {
    return {
      call: callOf(view),
      connection: this.#parts.connection,
      action: "/site/call",
      fields: Object.fromEntries(new URLSearchParams(addressOf({ ...view, page: 1 }).slice(2))),
      response: await this.callResponse(view),
    };
  }

  /** The API's response to the view's call. */
  async callResponse(view: View): Promise<object> {
    const call = callOf(view);
    const { limit } = call.query as { limit: number };
    return success(await this.#find({ ...view, page: 1 }, limit, call));
  }

  /** The API's response to the call for similar beats. */
  async similarResponse(beatId: number): Promise<object> {
    const call = similarCallOf(beatId);
    const { limit } = call.query as { limit: number };
    const similar = await findSimilarBeats(this.#parts.index, this.#catalogue, beatId, limit);
    return success(similarReference(similar, this.#calledAs(call)));
  }

  /** Throws 404 for a beat that is not public, and 410 for a beat that an operator took down. */
  async beat(beatId: number): Promise<BeatPage> {
    const { index, connection, currency, termsVersion, generatedSource, clock } = this.#parts;
    const beatPage = await this.#show(beatId);
    const { beat } = singleBeatReference(beatPage, { publicUrl: this.#parts.publicUrl, path: "", query: "" });
    const [licenses, sales, freeBeat, unprintable, similar, others, response] = await Promise.all([
      offeredLicenses(this.#db, beatPage.beat, { termsVersion, generatedSource }),
      countSold(this.#db, beatId),
      beatPage.beat.has_free_download ? findFreeBeat(this.#db, beatId, new Date(clock.nowMs())) : undefined,
      unprintableIn([beat.title, beat.producer_name]),
      this.#similar(beatId, similarShown),
      listBeats(
        { index, catalogue: this.#catalogue },
        { producer: [beat.user_id], sort: "popular", page: 1, limit: othersShown + 1 },
        undefined,
      ),
      this.similarResponse(beatId),
    ]);
    const [shownBeat] = await this.#withPaths([beat]);
    return {
      beat: shownBeat as BeatPage["beat"],
      licenses,
      sales,
      unprintable,
      currency,
      freeConsent: freeBeat === undefined ? null : consentTo(freeBeat.producer_name),
      similar,
      others: await this.#withPaths(
        (beatsReference(others, this.#calledAs(callOf(popularBeats))).beats as ListedBeats["beats"])
          .filter(({ id }) => id !== beatId)
          .slice(0, othersShown),
      ),
      call: {
        call: similarCallOf(beatId),
        connection,
        action: `/site/similar/${beatId}`,
        fields: {},
        response,
      },
    };
  }

  /** Throws like `beat`. */
  async shownBeat(beatId: number): Promise<ShownBeat> {
    const beatPage = await this.#show(beatId);
    const { beat } = singleBeatReference(beatPage, { publicUrl: this.#parts.publicUrl, path: "", query: "" });
    const [withPaths] = await this.#withPaths([beat]);
    return withPaths as ShownBeat;
  }

  /** The listed beats of a producer that match the filters, and the genres of beats that match the other filters. */
  async producerBeats(producerId: number, view: ProducerFilters, limit: number) {
    const { index } = this.#parts;
    const { sort = "newest", page = 1, ...filters } = view;
    const listedBeats = await listBeats(
      { index, catalogue: this.#catalogue },
      { ...filters, producer: [producerId], sort, page, limit, facets: ["genre"] },
      undefined,
    );
    const { beats } = beatsReference(listedBeats, this.#calledAs(callOf(popularBeats))) as ListedBeats;
    const { genre: genresFound = [] } = listedBeats.facets === undefined ? {} : presentFacets(listedBeats.facets);
    const genres = genresFound.map(({ value: { id, name = "" } }) => ({ id, name }));
    return { beats: await this.#withPaths(beats), total: listedBeats.total, genres };
  }

  /** The newest listed beats of these producers. */
  async newestOf(producerIds: readonly number[]): Promise<ShownBeat[]> {
    if (producerIds.length === 0) return [];
    const { index } = this.#parts;
    const listedBeats = await listBeats(
      { index, catalogue: this.#catalogue },
      { producer: [...producerIds], sort: "newest", page: 1, limit: newestShown },
      undefined,
    );
    const { beats } = beatsReference(listedBeats, this.#calledAs(callOf(popularBeats))) as ListedBeats;
    return this.#withPaths(beats);
  }

  /** The beats on sale among these ids, in the order of the ids. */
  async beatsByIds(ids: readonly number[]): Promise<ShownBeat[]> {
    const items = await this.#catalogue.listed(ids);
    const context = this.#calledAs(callOf(popularBeats));
    return this.#withPaths(items.map((beat) => beatReference(beat, context)));
  }

  async #show(beatId: number) {
    try {
      return await showBeat({ catalogue: this.#catalogue, primary: this.#db }, beatId, noUser);
    } catch (error) {
      throw (await this.#catalogue.find(beatId))?.is_taken_down === true ? takenDown() : error;
    }
  }

  async #find({ q, sort, page }: View, limit: number, call: Call = callOf({ q, sort, page })) {
    const { index } = this.#parts;
    const parts = { index, catalogue: this.#catalogue };
    const context = this.#calledAs(call);
    if (q === "")
      return {
        ...(beatsReference(await listBeats(parts, { sort, page, limit }, undefined), context) as ListedBeats),
      };
    const results = await searchPage(
      parts,
      { q, type: "beats", sort: "relevance", page, limit, interpret: true },
      undefined,
    );
    return searchReference(results, context) as ReturnType<typeof searchReference> & ListedBeats;
  }

  async #similar(beatId: number, limit: number): Promise<ShownSimilar[]> {
    const similar = await findSimilarBeats(this.#parts.index, this.#catalogue, beatId, limit);
    return this.#withPaths(similarReference(similar, this.#calledAs(similarCallOf(beatId))).beats);
  }

  #calledAs(call: Call): PresenterContext {
    const { path, query } = rawCall(call);
    return { publicUrl: this.#parts.publicUrl, path: `/v1${path}`, query: queryString(query).slice(1) };
  }

  /**
   * Replaces the URLs of files on this server by paths, so that the pages work under every host name. Adds the paths of
   * the producers' pages.
   */
  async #withPaths<Shown extends ListedBeats["beats"][number]>(
    beats: readonly Shown[],
  ): Promise<(Shown & ShownBeat)[]> {
    const { publicUrl } = this.#parts;
    const pathOf = (url: string): string => (url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url);
    const usernames = await findUsernames(
      this.#db,
      beats.map(({ user_id }) => user_id),
    );
    return beats.map((beat) => ({
      ...beat,
      audio_url: pathOf(beat.audio_url),
      cover_image: pathOf(beat.cover_image),
      producer_path: producerPath(usernames.get(beat.user_id) ?? ""),
    }));
  }
}

const takenDown = (): ApiError =>
  new ApiError(
    410,
    "not_found",
    "This beat was taken down",
    "The operator of this marketplace took it down. Who bought a license finds it in the library.",
    { refusedBy: "takedown" },
  );

type ProducerFilters = Partial<Pick<BeatsRequest, "sort" | "page">> & FilterQuery;

type ListedBeats = Pick<ReturnType<typeof beatsReference>, "pagination"> & {
  beats: ReturnType<typeof beatReference>[];
  interpreted?: Results["interpreted"];
};

/** The envelope of the reference form. */
const success = (data: object): object => ({ status: "success", data });
