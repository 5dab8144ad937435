import { useEffect, useMemo, useState } from "react";
import { throughOutage } from "../../api/connection.ts";
import { t } from "../../api/locale.ts";
import { groupHits, type Hit, rankEntries, type SearchEntry } from "./ranking.ts";
import { readRecent } from "./recent.ts";
import { type SearchIndex, searchCalls, searchDocs } from "./search-docs.ts";
import { loadAccount, loadIndex, looksLikeId, lookUpId, searchBeats } from "./sources.ts";

const typingMs = 200;
const minBeatsLength = 2;
const entriesShown = 4;
const beatsShown = 5;

export interface Search {
  groups: { group: Hit["group"]; hits: Hit[] }[];
  /** A sentence with the reason for missing results; null if none are missing. */
  failure: string | null;
  /** Whether more results may arrive. */
  isSearching: boolean;
}

/**
 * Searches all sources. `pages` are the portal's pages and actions. Without a query, returns recently opened results
 * and the pages.
 */
export function useSearch(query: string, pages: readonly SearchEntry[]): Search {
  const [index, setIndex] = useState<SearchIndex | null>(null);
  const [account, setAccount] = useState<Awaited<ReturnType<typeof loadAccount>> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    loadIndex().then(setIndex, () => setFailure(t("search.indexLoadFailed")));
    throughOutage(loadAccount).then(setAccount, () => setAccount({ isSignedIn: false, entries: [] }));
  }, []);

  const searchText = query.trim().length >= minBeatsLength ? query.trim() : "";
  const isSignedIn = account?.isSignedIn;
  const beats = useServerResults(searchText, isSignedIn, searchBeats);
  const ids = useServerResults(isSignedIn === true && looksLikeId(searchText) ? searchText : "", isSignedIn, lookUpId);

  const groups = useMemo(() => {
    if (query.trim() === "")
      return groupHits([
        ...readRecent().map((each) => ({ ...each, score: 1 })),
        ...pages.map((page) => ({ ...page, score: 0.5 })),
      ]);
    const entries = account?.entries ?? [];
    return groupHits([
      ...(ids.query === searchText ? ids.entries.map((entry) => ({ ...entry, score: 1 })) : []),
      ...rankEntries(query, pages, entriesShown),
      ...rankEntries(
        query,
        entries.filter(({ group }) => group === "API keys"),
        entriesShown,
      ),
      ...rankEntries(
        query,
        entries.filter(({ group }) => group === "Endpoints"),
        entriesShown,
      ),
      ...(index === null ? [] : [...searchCalls(index, query), ...searchDocs(index, query)]),
      // The server has ranked the beats, and may have corrected the query. Beats need not contain the typed words.
      ...(beats.query === searchText
        ? beats.entries.slice(0, beatsShown).map((entry) => ({ ...entry, score: 0 }))
        : []),
    ]);
  }, [query, pages, index, account, beats, ids, searchText]);
  return {
    groups,
    failure,
    isSearching: (index === null && failure === null) || (searchText !== "" && beats.query !== searchText),
  };
}

type Finder = (query: string, isSignedIn: boolean, signal: AbortSignal) => Promise<SearchEntry[]>;

/** The server's results after a pause in typing. Sends nothing for an empty query or before the session is loaded. */
function useServerResults(query: string, isSignedIn: boolean | undefined, find: Finder) {
  const [results, setResults] = useState<{ query: string; entries: SearchEntry[] }>({ query: "", entries: [] });
  useEffect(() => {
    if (query === "" || isSignedIn === undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      throughOutage(() => find(query, isSignedIn, abort.signal)).then(
        (entries) => setResults({ query, entries }),
        () => {},
      );
    }, typingMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, isSignedIn, find]);
  return results;
}
