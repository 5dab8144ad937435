// The client in workerd: responds with the results.
import { use } from "./use.mjs";

export default {
  fetch: async (_request, { apiKey, baseUrl }) =>
    use({ apiKey, baseUrl }).then(
      (used) => Response.json(used),
      (error) => new Response(error.stack, { status: 500 }),
    ),
};
