import { parseArgs } from "node:util";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { catalogues } from "./catalogues.ts";
import { judge } from "./judge.ts";

const { values } = parseArgs({
  options: { catalogue: { type: "string" }, list: { type: "string" }, help: { type: "boolean", default: false } },
});

const names = catalogues.map(({ name }) => name);

if (values.help) {
  process.stdout.write(`Asks each list of queries, prints each one without what must be among its first five, and the share that is right.
Exit code 1 if less than 0.97 of a list is; 0.93 of demo_beats.

npm run quality                                   all lists, on the extracts next to them and the demo catalogue
npm run quality -- --catalogue FILE --list NAME   a list on its whole catalogue
NAME: ${names.join(", ")}
`);
} else {
  const selectedCatalogues = catalogues.filter(({ name }) => values.list === undefined || values.list === name);
  if (selectedCatalogues.length === 0)
    throw new OperatorError(`There is no list ${values.list}. Name one: ${names.join(", ")}.`);
  if (values.catalogue !== undefined && values.list === undefined)
    throw new OperatorError(`Name the list of that catalogue with --list: ${names.join(", ")}.`);
  for (const { name, read, queriesFile, least } of selectedCatalogues) {
    const { queryCount, misses } = await judge(await read(values.catalogue), queriesFile);
    for (const { query, expected, first } of misses)
      process.stdout.write(`miss: ${query}\n  expected ${expected}\n  got      ${first.join("; ") || "nothing"}\n`);
    const right = 1 - misses.length / queryCount;
    process.stdout.write(`${name}: ${queryCount} queries, ${right.toFixed(3)} right\n`);
    if (right < least) process.exitCode = 1;
  }
}
