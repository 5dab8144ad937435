import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { errorCodes } from "../dist/esm/generated/operations.js";
import { BeatMarket, version } from "../dist/esm/node.js";
import { operations } from "./operations.mjs";

/** Describes the built package: its types from the compiler, its requests as sent. */
export async function describe({ models }) {
  const entry = fileURLToPath(new URL("../dist/esm/index.d.ts", import.meta.url));
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
    lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.asynciterable.d.ts"],
  });
  const checker = program.getTypeChecker();
  const exported = new Map(
    checker
      .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))
      .map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol]),
  );
  const typeNamed = (name) => checker.getDeclaredTypeOfSymbol(exported.get(name));

  const described = {};
  for (const [operationId, invoke] of Object.entries(operations)) {
    const { steps, method, path } = await sentBy(invoke);
    described[operationId] = { method, path, ...takenBy(methodType(checker, typeNamed("BeatMarket"), steps), checker) };
  }
  const { version: published } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  if (published !== version) throw new Error(`package.json has ${published}, the code ${version}.`);
  return {
    language: "javascript",
    version,
    operations: described,
    models: Object.fromEntries(
      models.flatMap((name) => (exported.has(name) ? [[name, leaves(typeNamed(name), checker)]] : [])),
    ),
    events: Object.fromEntries(
      typeNamed("WebhookEvent")
        .types.filter((type) => type.aliasSymbol?.name !== "UnknownEvent")
        .map((type) => {
          const field = (name) => checker.getTypeOfSymbol(type.getProperty(name));
          return [field("type").value, field("data").symbol.name];
        }),
    ),
    errors: { ...errorCodes },
  };
}

/** Makes a call against a stubbed fetch, and records the method's name and the request it sends. */
async function sentBy(invoke) {
  let sent;
  const fetch = async (url, { method }) => {
    sent = { method, path: decodeURIComponent(new URL(url).pathname).replace("/v1", "") };
    return new Response("{}", { status: 418 });
  };
  const client = new BeatMarket({ apiKey: "bm_described", maxRetries: 0, fetch });
  const steps = [];
  const tracing = (target) =>
    new Proxy(target, {
      get: (_, name) => {
        steps.push(name);
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : tracing(value);
      },
    });
  const ids = [
    "beat_id",
    "user_id",
    "order_id",
    "event_id",
    "upload_id",
    "checkout_id",
    "playlist_id",
    "license_id",
    "request_id",
    "sandbox_id",
  ];
  const placeholders = {
    ...Object.fromEntries(ids.map((id) => [id, `{${id}}`])),
    q: "q",
    month: "2026-11",
    path: "/dev/null",
  };
  await Promise.resolve(invoke(tracing(client), placeholders)).catch(() => {});
  return { steps, ...sent };
}

function methodType(checker, type, steps) {
  return steps.reduce((step, name) => checker.getTypeOfSymbol(step.getProperty(name)), type);
}

/** The parameters and body fields of a method, in wire names. */
function takenBy(type, checker) {
  const taken = { parameters: [], body: [] };
  const namesOf = (objectType) => objectType.getProperties().map((property) => property.name);
  for (const parameter of type.getCallSignatures()[0].getParameters()) {
    const parameterType = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
    // A destructured parameter has no name.
    const isQuery = parameter.name === "query" || parameterType.getProperty("maxItems") !== undefined;
    if (isQuery) taken.parameters.push(...namesOf(parameterType).filter((name) => name !== "maxItems"));
    else if (["order", "fields", "changes"].includes(parameter.name)) taken.body.push(...namesOf(parameterType));
    else if (parameter.name !== "options") taken.parameters.push(snakeCase(parameter.name));
    else
      for (const sent of ["idempotencyKey", "ifMatch"])
        if (parameterType.getProperty(sent) !== undefined) taken.parameters.push(snakeCase(sent));
  }
  return taken;
}

/** Dotted paths of the leaves of a type; an array is represented by its items. */
function leaves(type, checker, before = "") {
  const present = checker.getNonNullableType(type);
  if (checker.isArrayType(present)) return leaves(checker.getTypeArguments(present)[0], checker, before);
  const isObject = (present.flags & ts.TypeFlags.Object) !== 0;
  // An object without declared properties is a leaf, too.
  if (!isObject || present.getProperties().length === 0) return [before];
  return present
    .getProperties()
    .flatMap((field) =>
      leaves(checker.getTypeOfSymbol(field), checker, before === "" ? field.name : `${before}.${field.name}`),
    );
}

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
