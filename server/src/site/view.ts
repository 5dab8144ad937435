import type { Call } from "../../../contract/snippets/call.ts";

/** The view of the beats on `/`: a search, or a sorted list. */
export interface View {
  /** The search with words, tempos and keys; empty for a list. */
  q: string;
  /** The order of a list. A search ignores it. */
  sort: "popular" | "newest";
  /** The number of the page, from 1. */
  page: number;
}

export const beatsPerPage = 18;
/** The last page of a view, after about 700 beats. Only callers with a key can read the whole catalogue. */
export const maxPage = 40;
const maxTextLength = 200;
const beatsPerCall = 2;

/** Parses the query string of `/`. Ignores invalid values, so that every address shows a page. */
export function readView(query: string): View {
  const parameters = new URLSearchParams(query);
  const page = Number(parameters.get("page") ?? 1);
  return {
    q: (parameters.get("q") ?? "").replaceAll("\0", "").trim().slice(0, maxTextLength).toWellFormed(),
    sort: parameters.get("sort") === "newest" ? "newest" : "popular",
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, maxPage) : 1,
  };
}

/** The address of a view. All equivalent views have the same address. */
export function addressOf({ q, sort, page }: View): string {
  const query = new URLSearchParams({
    ...(q !== "" && { q }),
    ...(q === "" && sort !== "popular" && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === "" ? "/" : `/?${query}`;
}

/** The title of the page that shows the view; null for the marketplace's own title. */
export const titleOf = ({ q }: View): string | null => (q === "" ? null : q);

/** The view as a call of the API with few results. */
export const callOf = ({ q, sort }: View): Call =>
  q === ""
    ? { operationId: "listBeats", query: { sort, limit: beatsPerCall } }
    : { operationId: "search", query: { q, type: "beats", limit: beatsPerCall } };

/** The similar beats as a call of the API. */
export const similarCallOf = (beatId: number): Call => ({
  operationId: "listSimilarBeats",
  parameters: { beat_id: beatId },
  query: { limit: beatsPerCall },
});

/**
 * The absolute address of a picture that other sites can show: the cover, or a PNG drawing if the cover is an SVG or
 * missing.
 */
export function pictureOf({ id, cover_image }: { id: number; cover_image: string }, publicUrl: string): string {
  const address = URL.parse(cover_image, publicUrl);
  const isShown = address !== null && /\.(jpe?g|png|webp)$/i.test(address.pathname);
  return isShown ? address.href : `${publicUrl}/media/beats/${id}.png`;
}
