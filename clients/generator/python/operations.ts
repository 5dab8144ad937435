import type { ClientInterface, Operation } from "../interface/types.ts";
import { bracketed, constant, module } from "./text.ts";

/** The client's method for an operation, such as `beats.get`. */
export const callOf = ({ resource, method }: Operation): string =>
  resource === null ? method : `${resource}.${method}`;

/** The table of operations. */
export function operations(api: ClientInterface): string {
  return module("The API's operations.", [
    "from ..operation import Operation",
    "",
    ...api.operations.flatMap((operation) => {
      const { id, httpMethod, path, body } = operation;
      const names = body.map(({ name }) => JSON.stringify(name));
      const row = [id, httpMethod, path, callOf(operation)].map((text) => JSON.stringify(text));
      if (names.length === 0) return bracketed(`${constant(id)} = Operation(`, row, ")", "");
      const definition = bracketed(
        `${constant(id)} = Operation(`,
        [...row, `(${names.join(", ")}${names.length === 1 ? "," : ""})`],
        ")",
        "",
      );
      if (definition.length <= 3) return definition;
      return [
        `${constant(id)} = Operation(`,
        ...row.map((item) => `    ${item},`),
        ...bracketed("(", names, "),", "    "),
        ")",
      ];
    }),
    "",
    "OPERATIONS: tuple[Operation, ...] = (",
    ...api.operations.map(({ id }) => `    ${constant(id)},`),
    ")",
    '"""All operations."""',
  ]);
}
