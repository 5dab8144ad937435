import type { Call } from "../../../contract/snippets/call.ts";

/** What the wall of `/` shows: a search, or beats in an order. */
export interface View {
  /** Words, tempos and keys; empty for none. */
  q: string;
  /** Without a search. */
  sort: "popular" | "newest";
  /** From 1. */
  page: number;
}

export const beatsPerPage = 18;
/** What a stranger may turn to: some 700 beats. Keys walk the whole catalogue. */
export const maxPage = 40;
const maxTextLength = 200;
const beatsPerCall = 2;

/** Reads the query string of `/`; whatever is not valid counts as absent, so that every address shows something. */
export function readView(query: string): View {
  const given = new URLSearchParams(query);
  const page = Number(given.get("page") ?? 1);
  return {
    q: (given.get("q") ?? "").replaceAll("\0", "").trim().slice(0, maxTextLength).toWellFormed(),
    sort: given.get("sort") === "newest" ? "newest" : "popular",
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, maxPage) : 1,
  };
}

/** The view's address: the same for all that mean the same. */
export function addressOf({ q, sort, page }: View): string {
  const query = new URLSearchParams({
    ...(q !== "" && { q }),
    ...(q === "" && sort !== "popular" && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query === "" ? "/" : `/?${query}`;
}

/** Of the page that shows the view; null for the marketplace's own. */
export const titleOf = ({ q }: View): string | null => (q === "" ? null : q);

/** The view as a call of the API, of which it shows a few beats. */
export const callOf = ({ q, sort }: View): Call =>
  q === ""
    ? { operationId: "listBeats", query: { sort, limit: beatsPerCall } }
    : { operationId: "search", query: { q, type: "beats", limit: beatsPerCall } };

/** The beats like one, as a call of the API. */
export const similarCallOf = (beatId: number): Call => ({
  operationId: "listSimilarBeats",
  parameters: { beat_id: beatId },
  query: { limit: beatsPerCall },
});
