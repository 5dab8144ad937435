import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { pageParameters } from "@beatmarket/http/pagination.ts";
import type { ApiRoute, ResourceRoute } from "@beatmarket/http/pipeline/api-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import Type from "typebox";
import type { Caller } from "../access/caller.ts";
import { isOwnPage } from "../access/own-origin.ts";
import type { PublicReads } from "./public-reads.ts";
import { maxPage } from "./view.ts";

/** Where the pages of this server read the catalogue without a key: a base address of the client libraries. */
const catalogueBase = "/site/v1";

const operations = ["listBeats", "getBeat", "listSimilarBeats", "search"];
const maxLimit = 24;

/** No account and no key: it sees what everybody may see. */
const stranger: Caller = { keyId: 0, userId: 0, plan: "standard", permissions: new Set() };

/**
 * The reads of the catalogue below `/site/v1`, for the pages of this server, by anyone: the operations of the API, with
 * their validation, forms and bodies, inside the budget for strangers. A page of a list has at most 24 results, and there
 * are 40. Throws 403 for a request that no page of this server made, and what `PublicReads` throws.
 */
export const catalogueRoutes = (api: readonly ApiRoute[], reads: PublicReads): Route[] =>
  api
    .filter((route): route is ResourceRoute => operations.includes(route.operationId))
    .map((route) => ({
      operationId: null,
      method: "GET",
      path: `${catalogueBase}${route.path}`,
      access: { by: "anyone" },
      // It has permits of its own.
      isVital: true,
      hasForms: true,
      ...(route.headers !== undefined && { headers: route.headers }),
      ...(route.params !== undefined && { params: route.params }),
      query: boundedQuery(route),
      handle: async (call) => {
        const { context } = call;
        if (!isOwnPage(context.requestHeaders, context.publicUrl)) throw foreign();
        const { representation } = await reads.page(`${context.form} ${context.url}`, context, async () => {
          const value = await route.handle({ ...call, caller: stranger });
          return { representation: route.respond(value, context) as Representation, headers: {} };
        });
        return representation;
      },
      respond: (representation) => representation as Representation,
    }));

/** The parameters of an operation, in the sizes that a page shows. Many beats by their ids are for programs. */
function boundedQuery({ query = Type.Object({}) }: ResourceRoute) {
  const { ids: _, ...others } = query.properties;
  if (others.page === undefined) return Type.Object(others);
  const { page, limit } = pageParameters(maxLimit, maxLimit);
  return Type.Object({ ...others, page: { ...page, maximum: maxPage }, limit });
}

const foreign = (): ApiError =>
  new ApiError(
    403,
    "forbidden",
    "Foreign origin",
    "These reads are for the pages of this server. Programs call the same operations below /v1 with an API key.",
    { refusedBy: "origin" },
  );
