import { readParameters } from "@beatmarket/http/input/validate.ts";
import Type, { type Static } from "typebox";
import { beatSorts, filterParameters } from "../../resources/beats/filters/parameters.ts";
import { producerPath } from "../../resources/users/public-producers.ts";
import { maxPage } from "../view.ts";

const { genre, bpm_min, bpm_max, key, price_min, price_max } = filterParameters;

const ProducerQuery = Type.Object({
  genre,
  bpm_min,
  bpm_max,
  key,
  price_min,
  price_max,
  sort: Type.Optional(Type.Enum([...beatSorts])),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPage })),
});

/** The state of the list on a producer's page: the filters of `GET /beats`. */
export type ProducerView = Static<typeof ProducerQuery>;

/** Reads the query string. A form sends fields that are empty; they count as absent. Throws invalid_request. */
export function readProducerView(query: string): ProducerView {
  const names = Object.keys(ProducerQuery.properties);
  const parameters = [...new URLSearchParams(query)].filter(
    ([name, value]) => names.includes(name) && value.trim() !== "",
  );
  return readParameters(ProducerQuery, parameters) as ProducerView;
}

/** The view's address: the same for all equivalent views. */
export function producerAddress(username: string, view: ProducerView): string {
  const { page = 1, sort = "newest", ...filters } = view;
  const query = new URLSearchParams([
    ...Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]),
    ...(sort === "newest" ? [] : [["sort", sort] as [string, string]]),
    ...(page === 1 ? [] : [["page", String(page)] as [string, string]]),
  ]).toString();
  return `${producerPath(username)}${query === "" ? "" : `?${query}`}`;
}
