import { wholeListMeta } from "@beatmarket/http/pagination.ts";
import { type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import type { Genre } from "./queries.ts";
import { listGenres } from "./queries.ts";

const GenreSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    beats_count: Type.Integer({ minimum: 0, description: "Beats on sale in this genre." }),
  },
  { $id: "Genre", description: "A genre of the catalogue." },
);

const GenresResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ genres: Type.Array(GenreSchema) }),
  console: Type.Array(GenreSchema),
  meta: true,
};

const genresReference = (genres: Genre[]) => ({
  genres: genres.map(({ id, name, slug, beats_count }) => ({ id, name, slug, beats_count })),
});

const genresConsole = (genres: Genre[]) => ({
  data: genres.map(({ id, name, slug, beats_count }) => ({ id, name, slug, beats_count })),
  meta: wholeListMeta(genres),
});

export const genreRoutes = [
  route({
    operationId: "listGenres",
    client: "genres.list",
    method: "GET",
    path: "/genres",
    tag: "Genres",
    summary: "List genres",
    description: "All genres by name, with the number of beats on sale in each.",
    permission: "genres:read",
    response: GenresResponse,
    present: { reference: genresReference, console: genresConsole },
    cached: true,
    examples: { success: {}, invalid: { parameters: { page: 2 } } },
    handle: ({ db }) => listGenres(db),
  }),
];
