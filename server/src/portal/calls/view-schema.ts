import { visibleLine } from "@beatmarket/http/input/text-patterns.ts";
import Type from "typebox";
import { maxSavedViews } from "../../resources/saved-views/queries.ts";

const closed = { additionalProperties: false };
const name = Type.String({ minLength: 1, maxLength: 60, pattern: visibleLine });
const query = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: visibleLine,
  description: "The query string of the page's address, without the question mark.",
});

export const ViewId = Type.Object({ view_id: Type.Integer({ description: "Identifier of the saved view." }) });
export const ViewCreation = Type.Object({ name, query });
export const ViewChange = Type.Object({ name: Type.Optional(name), query: Type.Optional(query) });
export const View = Type.Object(
  { id: Type.Integer(), name: Type.String(), query: Type.String() },
  { $id: "SavedView", ...closed },
);
export const ViewList = Type.Object(
  { views: Type.Array(View, { description: `By name, at most ${maxSavedViews}.` }) },
  closed,
);
