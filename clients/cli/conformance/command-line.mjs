import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built program. */
export const program = fileURLToPath(new URL("../dist/beatmarket-cli.js", import.meta.url));

const table = JSON.parse(readFileSync(new URL("../src/generated/operations.json", import.meta.url), "utf8"));
export const operations = table.operations;

const flag = (name) => `--${name.replaceAll("_", "-")}`;

/** Converts arguments in wire names to the words of a command line. */
export function parametersOf({ command, ids, query, body, result }, values) {
  const places = [...ids, ...query.filter(({ isRequired }) => isRequired)].map(({ name }) => name);
  const inBody = body.map(({ name }) => name);
  const nulls = Object.keys(values).filter((name) => values[name] === null && inBody.includes(name));
  const flags = Object.entries(values)
    .filter(([name, value]) => value !== null && !places.includes(name))
    .map(([name, value]) => {
      if (result.kind === "file" && name === "path") return `--out=${value}`;
      return `${flag(name)}=${wordOf(
        [...query, ...body].find((parameter) => parameter.name === name),
        value,
      )}`;
    });
  return [
    ...command,
    ...flags,
    ...(nulls.length > 0 ? [`--null=${nulls.join(",")}`] : []),
    "--",
    ...places.map((name) => String(values[name])),
  ];
}

function wordOf(parameter, value) {
  if (parameter?.type === "json") return JSON.stringify(value);
  return Array.isArray(value) ? value.join(",") : String(value);
}
