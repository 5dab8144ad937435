import { parseArgs } from "node:util";
import { EngineProgram } from "@beatmarket/catalogue-index/testing/engine-program.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { catalogues } from "./catalogues.ts";
import { inMemory, judge, type LoadEngine } from "./judge.ts";

const { values } = parseArgs({
  options: {
    catalogue: { type: "string" },
    list: { type: "string" },
    engine: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const names = catalogues.map(({ name }) => name);

if (values.help) {
  process.stdout.write(`Searches for the queries of each list. Prints the queries whose first five results lack the expected beat, and the share of
right queries. Exit status: 1 if the share of a list is below 0.97 (demo_beats: 0.93).

npm run quality                                   all lists, on the extracts next to them and the demo catalogue
npm run quality -- --catalogue FILE --list NAME   a list on its whole catalogue
npm run quality -- --engine COMMAND               with another engine, such as "python3 bench/peers/tantivy_engine.py"
NAME: ${names.join(", ")}
`);
} else {
  const selectedCatalogues = catalogues.filter(({ name }) => values.list === undefined || values.list === name);
  if (selectedCatalogues.length === 0)
    throw new OperatorError(`There is no list ${values.list}. Name one: ${names.join(", ")}.`);
  if (values.catalogue !== undefined && values.list === undefined)
    throw new OperatorError(`Name the list of that catalogue with --list: ${names.join(", ")}.`);
  const programs: EngineProgram[] = [];
  const load: LoadEngine = values.engine === undefined ? inMemory : programEngine(values.engine.split(" "), programs);
  for (const { name, read, queriesFile, minShare } of selectedCatalogues) {
    const { queryCount, misses } = await judge(await read(values.catalogue), queriesFile, load);
    for (const { query, expected, first } of misses)
      process.stdout.write(`miss: ${query}\n  expected ${expected}\n  got      ${first.join("; ") || "nothing"}\n`);
    const right = 1 - misses.length / queryCount;
    process.stdout.write(`${name}: ${queryCount} queries, ${right.toFixed(3)} right\n`);
    if (right < minShare) process.exitCode = 1;
  }
  await Promise.all(programs.map((program) => program.close()));
}

/** Starts the program once for each list. */
function programEngine(command: readonly string[], programs: EngineProgram[]): LoadEngine {
  return async (rows) => {
    const program = new EngineProgram(command);
    programs.push(program);
    await program.load(rows);
    return (query) => program.search(query);
  };
}
