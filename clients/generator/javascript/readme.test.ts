import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { camelCase } from "../case.ts";
import { clientInterface } from "../interface/interface.ts";

// The Python client's own tests check its page. The pages of PHP, Ruby and Go have no table of methods.

const read = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
const page = await read("clients/javascript/README.md");
const { operations } = clientInterface(JSON.parse(await read("contract/openapi.json")));
const [, filters = ""] = /\n## Filters\n(.*?)\n## /s.exec(page) ?? [];

test.each(operations)("the page of the JavaScript client lists $id with all its arguments", (operation) => {
  const { resource, method, pathParameters, queryParameters, body, isIdempotent, isConditional, result } = operation;
  const call = ["client", ...(resource === null ? [] : [resource]), camelCase(method)].join(".");
  const row = page.split("\n").find((line) => line.startsWith("| `client.") && line.includes(`\`${call}(`));
  // A row for several methods has the full name of the first one only.
  const shortRow = page
    .split("\n")
    .find((line) => line.startsWith(`| \`client.${resource}.`) && line.includes(`\`.${camelCase(method)}(`));
  const tableRow = row ?? shortRow ?? "";
  const [, argumentText = ""] =
    new RegExp(`\`(?:${call}|\\.${camelCase(method)})\\(([^\`]*)\\)\``).exec(tableRow) ?? [];
  const names: string[] = argumentText.match(/…?\w+/g) ?? [];
  const isFilter = (name: string): boolean => names.includes("…filters") && filters.includes(`\`${name}\``);
  const isField = (isRequired: boolean): boolean => names.includes("…fields") && !isRequired;

  const missingArguments = [
    ...pathParameters.map(({ name }) => camelCase(name)),
    ...queryParameters.map(({ name }) => name).filter((name) => !isFilter(name)),
    ...body.filter(({ isRequired }) => !isField(isRequired)).map(({ name }) => name),
    ...(isIdempotent ? ["idempotencyKey"] : []),
    ...(isConditional ? ["ifMatch"] : []),
    ...(result.kind === "pages" ? ["maxItems"] : []),
  ].filter((name) => !names.includes(name));
  expect(tableRow, call).not.toBe("");
  expect(missingArguments, tableRow).toEqual([]);
});
