import type { Genre } from "./genre.ts";

export const genresReference = (genres: Genre[]) => ({
  genres: genres.map(({ id, name, slug, beats_count }) => ({ id, name, slug, beats_count })),
});
