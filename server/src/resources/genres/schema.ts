import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";

const GenreSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    beats_count: Type.Integer({ minimum: 0, description: "Beats on sale in this genre." }),
  },
  { $id: "Genre", description: "A genre of the catalogue." },
);

export const GenresResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ genres: Type.Array(GenreSchema) }),
  console: Type.Array(GenreSchema),
  meta: true,
};
