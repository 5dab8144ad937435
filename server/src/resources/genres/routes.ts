import { route } from "@beatmarket/http/pipeline/api-route.ts";
import { genresConsole, genresReference } from "./present.ts";
import { listGenres } from "./queries.ts";
import { GenresResponse } from "./schema.ts";

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
