import { notFound } from "@tanstack/react-router";

// The search and path parameters of the studio's pages. Part of the first load, so this file imports no page.

export const beatStatuses = ["draft", "processing", "published", "withdrawn"] as const;

export interface StudioSearch {
  /** The status of the beats that are shown; all without one. */
  show?: (typeof beatStatuses)[number];
  page?: number;
}

/** Reads the search parameters and drops invalid ones. */
export function readStudioSearch(search: Record<string, unknown>): StudioSearch {
  const show = beatStatuses.find((its) => its === search.show);
  const { page } = search;
  return {
    ...(show !== undefined && { show }),
    ...(Number.isSafeInteger(page) && Number(page) > 1 && { page: Number(page) }),
  };
}

/** Reads the id of a beat. Throws `notFound` for anything else. */
export function readBeatId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
