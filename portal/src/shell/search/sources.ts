import { api, send, unwrap } from "../../api/client.ts";
import { loadChunk } from "../../api/load-chunk.ts";
import type { MemberPermission } from "../../api/session.ts";
import { endpointName } from "../../display/webhooks/endpoint-name.ts";
import type { SearchEntry } from "./ranking.ts";
import { openIndex, type SearchIndex } from "./search-docs.ts";

let index: Promise<SearchIndex> | undefined;

/**
 * Loads the index of docs and calls once. Waits for the end of an outage. Rejects if the server does not have the
 * index; the next call then tries again.
 */
export function loadIndex(): Promise<SearchIndex> {
  index ??= loadChunk(() => import("virtual:search-index")).then(({ default: indexJson }) => openIndex(indexJson));
  index.catch(() => {
    index = undefined;
  });
  return index;
}

/** Keys and endpoints of the signed-in account; empty when signed out. */
export async function loadAccount(): Promise<{ isSignedIn: boolean; entries: SearchEntry[] }> {
  const { account } = await unwrap(api.GET("/session"));
  if (account === null) return { isSignedIn: false, entries: [] };
  // A member's role may allow only keys or only webhooks.
  const may = (permission: MemberPermission) => account.organisation?.refusals[permission] === undefined;
  const [{ keys }, { endpoints }] = await Promise.all([
    may("keys:read") ? unwrap(api.GET("/keys")) : { keys: [] },
    may("webhooks:read") ? unwrap(api.GET("/webhooks/endpoints")) : { endpoints: [] },
  ]);
  return {
    isSignedIn: true,
    entries: [
      ...keys.map(
        ({ id, name, ends_with, state }): SearchEntry => ({
          group: "API keys",
          id: String(id),
          title: name,
          detail: `…${ends_with}${state === "active" ? "" : ` · ${state}`}`,
          keywords: "api key",
          address: "/portal/keys",
        }),
      ),
      ...endpoints.map(
        (endpoint): SearchEntry => ({
          group: "Endpoints",
          id: String(endpoint.id),
          title: endpointName(endpoint),
          detail: endpoint.description === "" ? endpoint.state : endpoint.description,
          keywords: `${endpoint.url} webhook endpoint ${endpoint.event_types?.join(" ") ?? ""}`,
          address: `/portal/webhooks/${endpoint.id}`,
        }),
      ),
    ],
  };
}

interface FoundBeat {
  id: number;
  title: string;
  producer_name: string;
  facts: string;
}

/**
 * Searches beats on sale by words, tempos and keys. For a signed-in user the results open in the catalogue.
 */
export async function searchBeats(query: string, isSignedIn: boolean, signal: AbortSignal): Promise<SearchEntry[]> {
  const response = await send(`/site/beats?${new URLSearchParams({ q: query })}`, { signal });
  if (!response.ok) return [];
  const { beats } = (await response.json()) as { beats: FoundBeat[] };
  return beats.map(({ id, title, producer_name, facts }) => ({
    group: "Beats",
    id: String(id),
    title,
    detail: `${producer_name} · ${facts}`,
    address: isSignedIn ? `/portal/market/beats/${id}` : `/beats/${id}`,
  }));
}

/** Whether a text has the form of an id of an order, a delivery, an event or a request. */
export const looksLikeId = (text: string): boolean =>
  /^(?:[1-9]\d*|evt_\w+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(text);

/** Looks up the account's order, delivery, event or request with this id. */
export async function lookUpId(id: string, _isSignedIn: boolean, signal: AbortSignal): Promise<SearchEntry[]> {
  const { found: entries } = await unwrap(api.GET("/lookup", { params: { query: { id } }, signal }));
  return entries.map(({ title, detail, path }) => ({ group: "By id", id: path, title, detail, address: path }));
}
