import referencePages from "virtual:client-reference";
import groups from "virtual:docs-contents";
import { notFound } from "@tanstack/react-router";
import { markdownPathOf, sourceOf } from "../../../docs/contents.ts";
import { loadChunk } from "../../api/load-chunk.ts";

/** A document that the build generated from Markdown (portal/docs). */
export interface GuideDocument {
  title: string;
  titleId: string;
  html: string;
  headings: { id: string; level: number; text: string }[];
}

/** A document with the previous and the next document in reading order. */
export interface Guide extends GuideDocument {
  path: string;
  /** The address of the document's Markdown. */
  markdown: string;
  previous: Neighbour | null;
  next: Neighbour | null;
}

interface Neighbour {
  path: string;
  title: string;
}

const modules = import.meta.glob<{ default: GuideDocument }>([
  "../../../../docs/*.md",
  "../../../../docs/api/*.md",
  "../../../../clients/{javascript,python,php,ruby,go}/README.md",
]);
const exampleOrigin = "https://beats.example.com";
const order = groups.flatMap(({ pages }) => pages);

/** Loads the document at a path such as "/docs/webhooks". Throws the router's "not found" for an unknown path. */
export async function loadGuide(path: string): Promise<Guide> {
  const pageIndex = order.findIndex((page) => page.path === path);
  const name = order[pageIndex]?.name ?? "";
  const load = modules[`../../../../${sourceOf(name)}`] ?? referencePages[name];
  if (load === undefined) throw notFound();
  const { default: document } = await loadChunk(load);
  // The README of a library is part of its package, so it names an example server. Replace that by this server.
  const html = document.html.replaceAll(exampleOrigin, location.origin);
  const markdown = `/portal${markdownPathOf(name)}`;
  return {
    ...document,
    html,
    path,
    markdown,
    previous: order[pageIndex - 1] ?? null,
    next: order[pageIndex + 1] ?? null,
  };
}
