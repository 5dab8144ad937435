import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { type Account, permittedAccount } from "../../access/account.ts";
import { languageVary, readerLocale } from "../../access/reader-locale.ts";
import type { Queryable } from "../../database/connect.ts";
import { addFavorites, listFavorites, removeFavorite } from "../../resources/favorites/favorites.ts";
import { follow, listFollowing, unfollow } from "../../resources/follows/follows.ts";
import {
  addBeat,
  changePlaylist,
  createPlaylist,
  deletePlaylist,
  findPlaylist,
  listPlaylists,
  removeBeat,
} from "../../resources/playlists/playlists.ts";
import { maxBeats, playlistIdPattern } from "../../resources/playlists/present.ts";
import { findUsernames, producerPath } from "../../resources/users/producers.ts";
import type { ReadAssets } from "../assets.ts";
import { refusalPage } from "../failure-page.ts";
import { siteDocument } from "../html/document.ts";

import { SitePages, type SiteParts } from "../read-pages.ts";
import { favoritesMain, playlistMain } from "./html.ts";

export interface FavoriteRouteParts extends SiteParts {
  concurrency: Pick<ConcurrencyLimiter, "run">;
  /** The signed-in account; null for strangers. */
  findAccount(headers: Headers): Promise<Account | null>;
  readAssets: ReadAssets;
}

/** A title, and a description of at most 2,000 characters. */
const maxBodyBytes = 20_000;
const shownBeats = 100;

/**
 * `/favorites` and `/playlists/{id}`: the favorites, follows and playlists of an account. They work without scripts.
 */
export function favoriteRoutes(parts: FavoriteRouteParts): Route[] {
  const { concurrency } = parts;
  const pages = new SitePages(parts);
  const form = { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } } as const;
  /** Refusals are shown as pages too. */
  const page = (
    path: string,
    make: (context: RequestContext) => Promise<Content>,
    options: object = { isVital: true },
  ) =>
    openRoute(
      path,
      (context) =>
        concurrency.run(
          "page",
          async () => {
            try {
              return await make(context);
            } catch (error) {
              const locale = readerLocale(context);
              return refusalPage(parts.readAssets, locale, error, locale.t("favorites.missing"));
            }
          },
          context.receivedMs,
        ),
      options,
    );
  return [
    page("/favorites", (context) => showFavorites(parts, pages, context)),
    page("/favorites", (context) => changeFavorites(parts, context), form),
    page("/favorites/playlists", (context) => makePlaylist(parts, context), form),
    page("/playlists/:playlist_id", (context) => showPlaylist(parts, pages, context)),
    page("/playlists/:playlist_id", (context) => editPlaylist(parts, context), form),
  ];
}

const privateHeaders = { "cache-control": "private, no-store", vary: `Accept, Accept-Encoding, ${languageVary}` };
const redirect = (location: string): HttpResponse => ({ status: 303, headers: { ...privateHeaders, location } });

/** The person's own account, even while acting as an organisation; null for strangers. */
async function readerOf({ findAccount }: FavoriteRouteParts, { webHeaders }: RequestContext): Promise<number | null> {
  const account = await findAccount(webHeaders);
  return account && permittedAccount(account, "self").userId;
}

const signIn = (path: string): HttpResponse => redirect(`/portal/sign-in?next=${encodeURIComponent(path)}`);

interface ShownPage {
  locale: Locale;
  title: string;
  main: string;
}

async function document({ readAssets }: FavoriteRouteParts, { locale, title, main }: ShownPage): Promise<Content> {
  const { representation, headers } = siteDocument(await readAssets(), locale, { title, canonical: null, main });
  return {
    status: 200,
    headers: { ...headers, ...privateHeaders, "content-type": representation.contentType },
    body: representation.body,
  };
}

const idIn = (text: string | null): number | null => (/^[1-9]\d{0,8}$/.test(text ?? "") ? Number(text) : null);

async function showFavorites(parts: FavoriteRouteParts, pages: SitePages, context: RequestContext): Promise<Content> {
  const userId = await readerOf(parts, context);
  if (userId === null) return signIn("/favorites");
  const db = parts.server.query;
  const request = { userId, page: 1, limit: shownBeats };
  const catalogue = parts.beatsOn(parts.server);
  const [favorites, playlists, following] = await Promise.all([
    listFavorites({ db, catalogue }, request),
    listPlaylists(db, request),
    listFollowing(db, request),
  ]);
  const chosenId = idIn(new URLSearchParams(context.query).get("beat"));
  const locale = readerLocale(context);
  const main = favoritesMain(locale, {
    beats: await pages.beatsByIds(favorites.items.map(({ id }) => id)),
    playlists: playlists.items,
    following: following.items,
    newest: await pages.newestOf(following.items.map(({ id }) => id)),
    chosenBeat: chosenId === null ? null : ((await pages.beatsByIds([chosenId]))[0] ?? null),
    currency: parts.currency,
  });
  return document(parts, { locale, title: locale.t("favorites.title"), main });
}

/** Reads the fields of a form of this server, and the account that sends the form. */
async function readForm(parts: FavoriteRouteParts, context: RequestContext) {
  requireOwnForm(context.requestHeaders, context.publicUrl);
  const fields = new URLSearchParams(context.body?.toString("utf8"));
  return { fields, userId: await readerOf(parts, context), now: new Date(parts.clock.nowMs()) };
}

/** Adds or removes a favorite, or follows or unfollows a producer. */
async function changeFavorites(parts: FavoriteRouteParts, context: RequestContext): Promise<Content> {
  const { fields, userId, now } = await readForm(parts, context);
  const db = parts.server.query;
  const [add, remove, followId, unfollowId] = ["add", "remove", "follow", "unfollow"].map((name) =>
    idIn(fields.get(name)),
  );
  if (userId === null) return signIn(await pathBack(db, add ?? null, followId ?? null));
  if (add != null) await addFavorites(db, { userId, beatIds: [add], now });
  if (remove != null) await removeFavorite(db, userId, remove);
  if (followId != null) await follow(db, { userId, producerId: followId, now });
  if (unfollowId != null) await unfollow(db, userId, unfollowId);
  return redirect("/favorites");
}

/** The page to which a visitor returns after the sign-in: the page with the pressed button. */
async function pathBack(db: Queryable, beatId: number | null, producerId: number | null): Promise<string> {
  if (beatId !== null) return `/beats/${beatId}`;
  const username = producerId === null ? undefined : (await findUsernames(db, [producerId])).get(producerId);
  return username === undefined ? "/favorites" : producerPath(username);
}

const titleIn = (fields: URLSearchParams): string => {
  const title = (fields.get("title") ?? "").replaceAll(/\p{Cc}+/gu, " ").trim();
  if (title === "" || title.length > 200)
    throw invalidRequest("A playlist takes a title of 1 to 200 characters.", "title");
  return title;
};

async function makePlaylist(parts: FavoriteRouteParts, context: RequestContext): Promise<Content> {
  const { fields, userId, now } = await readForm(parts, context);
  if (userId === null) return signIn("/favorites");
  const beat = idIn(fields.get("beat"));
  const request = { title: titleIn(fields), ...(beat !== null && { beat_ids: [beat] }) };
  const { id } = await createPlaylist(parts.server.query, { userId, run: null, fields: request, now });
  return redirect(`/playlists/${id}`);
}

/** The id of the playlist in an address. If the text is not an id, returns an id that does not exist. */
const playlistIn = ({ params }: RequestContext): string =>
  playlistIdPattern.test(params.playlist_id ?? "") ? (params.playlist_id ?? "") : `pl_${"0".repeat(22)}`;

async function showPlaylist(parts: FavoriteRouteParts, pages: SitePages, context: RequestContext): Promise<Content> {
  const userId = await readerOf(parts, context);
  const playlist = await findPlaylist(parts.server.query, playlistIn(context), userId);
  const beats = await pages.beatsByIds(playlist.beat_ids);
  const isOwn = playlist.user_id === userId;
  const locale = readerLocale(context);
  const main = playlistMain(locale, { playlist, beats, isOwn, currency: parts.currency });
  return document(parts, { locale, title: playlist.title, main });
}

async function editPlaylist(parts: FavoriteRouteParts, context: RequestContext): Promise<Content> {
  const { fields, userId, now } = await readForm(parts, context);
  const id = playlistIn(context);
  if (userId === null) return signIn(`/playlists/${id}`);
  const db = parts.server.query;
  const [add, remove, up, down] = ["add", "remove", "up", "down"].map((name) => idIn(fields.get(name)));
  const visibility = fields.get("visibility");
  if (fields.get("delete") === "yes") {
    await deletePlaylist(db, userId, id);
    return redirect("/favorites");
  }
  if (add != null) await addBeat(db, { userId, id, beatId: add, now });
  else if (remove != null) await removeBeat(db, { userId, id, beatId: remove, now });
  else if (up != null || down != null) {
    const { beat_ids } = await findPlaylist(db, id, userId);
    const order = up == null ? moveId(beat_ids, down ?? 0, 1) : moveId(beat_ids, up, -1);
    await changePlaylist(db, { userId, id, fields: { beat_ids: order.slice(0, maxBeats) }, now });
  } else if (visibility === "private" || visibility === "public")
    await changePlaylist(db, { userId, id, fields: { visibility }, now });
  else {
    const description = (fields.get("description") ?? "").replaceAll("\r\n", "\n").slice(0, 2_000);
    await changePlaylist(db, { userId, id, fields: { title: titleIn(fields), description }, now });
  }
  return redirect(`/playlists/${id}`);
}

/** Moves one beat of a list up or down by one place. */
function moveId(ids: readonly number[], id: number, steps: -1 | 1): number[] {
  const from = ids.indexOf(id);
  const to = from + steps;
  if (from < 0 || to < 0 || to >= ids.length) return [...ids];
  return ids.with(from, ids[to] ?? id).with(to, id);
}
