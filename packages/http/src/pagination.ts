import Type, { type TProperties, type TSchema } from "typebox";
import type { Page, PageLink } from "./listing/page.ts";
import type { PresenterContext } from "./pipeline/api-route.ts";

/** The `page` and `limit` parameters of a listing. For the sizes see docs/api/limits.md, Sizes and timeouts. */
export const pageParameters = (defaultLimit: number, maxLimit: number) => ({
  page: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    description: "The number of the page, from 1.",
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
    description: "The number of results on a page.",
  }),
});

export const afterParameter = {
  after: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9_-]{12,2000}$",
      description:
        "An opaque token, part of `next_page_url` and `prev_page_url`. Do not construct it. With it, a page begins right after a known row, so every page of a long list costs the same. A token that is damaged, or belongs to other filters, another page or another limit, is refused with 400.",
    }),
  ),
};

/** The pagination links of the reference form (docs/api/conventions.md, Pagination). */
export const ReferencePagination = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    per_page: Type.Integer({ minimum: 1 }),
    current_page: Type.Integer({ minimum: 1 }),
    last_page: Type.Integer({ minimum: 1 }),
    next_page_url: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
      description: "The address of the next page. Null on the last page.",
    }),
    prev_page_url: Type.Union([Type.String({ format: "uri" }), Type.Null()]),
  },
  { $id: "Pagination", description: "The position of a page in its list." },
);

const consoleMetaFields = {
  page: Type.Integer({ minimum: 1 }),
  limit: Type.Integer({ minimum: 1 }),
  total: Type.Integer({ minimum: 0 }),
};

/** The pagination of the console form (docs/api/conventions.md, Pagination). */
export const ConsoleMeta: TSchema = Type.Object(consoleMetaFields, { $id: "ConsoleMeta" });

/** The same pagination, with additional fields of an operation. */
export const consoleMetaWith = (extras: TProperties, $id: string): TSchema =>
  Type.Object({ ...consoleMetaFields, ...extras }, { $id });

export function referencePagination(page: Page<unknown>, context: PresenterContext) {
  return {
    total: page.total,
    per_page: page.limit,
    current_page: page.page,
    last_page: page.lastPage,
    next_page_url: pageUrl(page.next, context),
    prev_page_url: pageUrl(page.previous, context),
  };
}

export const consoleMeta = (page: Page<unknown>) => ({ page: page.page, limit: page.limit, total: page.total });

/** Returns an absolute URL with PUBLIC_URL and the prefix of the call. Keeps all filters and the limit. */
function pageUrl(link: PageLink | null, { publicUrl, path, query }: PresenterContext): string | null {
  if (link === null) return null;
  const parameters = new URLSearchParams(query);
  parameters.set("page", String(link.page));
  parameters.delete("after");
  if (link.after !== undefined) parameters.set("after", link.after);
  return `${publicUrl}${path}?${parameters}`;
}

/** The pagination of a list without pages. */
export const wholeListMeta = (items: readonly unknown[]) => ({
  page: 1,
  limit: Math.max(1, items.length),
  total: items.length,
});
