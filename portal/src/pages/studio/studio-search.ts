import { notFound } from "@tanstack/react-router";
import { oneOf, page, searchParams } from "../../api/search-params.ts";

// The search and path parameters of the studio's pages. The first load includes this file, so it imports no page.

export const beatStatuses = ["draft", "processing", "published", "withdrawn"] as const;

export interface StudioSearch {
  /** The status of the listed beats. Without this parameter, all beats are listed. */
  show?: (typeof beatStatuses)[number];
  page?: number;
}

/** Reads the search parameters of the address. */
export const readStudioSearch = searchParams<StudioSearch>({ show: oneOf(beatStatuses), page });

/** Reads the search parameters of the page of free downloads. */
export const readFreeDownloadsSearch = searchParams<{ page?: number }>({ page });

/** Reads the id of a beat. Throws `notFound` for anything else. */
export function readBeatId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
