import { wholeListMeta } from "@beatmarket/http/pagination.ts";
import type { Genre } from "./genre.ts";

export const genresReference = (genres: Genre[]) => ({
  genres: genres.map(({ id, name, slug, beats_count }) => ({ id, name, slug, beats_count })),
});

export const genresConsole = (genres: Genre[]) => ({
  data: genres.map(({ id, name, slug, beats_count }) => ({ id, name, slug, beats_count })),
  meta: wholeListMeta(genres),
});
