import { camelCase } from "../case.ts";
import type { FileArgument, FileMethod } from "../interface/types.ts";
import type { Composed, PhpArgument } from "./composed.ts";

/** The types and defaults of arguments. */
const kinds: Readonly<Record<FileArgument["kind"], Omit<PhpArgument, "name" | "text">>> = {
  id: { type: "int|string" },
  text: { type: "string" },
  path: { type: "string" },
  source: { type: "mixed", doc: "string|resource" },
  fileKind: { type: "FileKind|string" },
  uploadKind: { type: "UploadKind|string" },
  filename: { type: "?string", value: "null" },
  uploadProgress: { type: "?\\Closure", doc: "\\Closure(UploadProgress): mixed|null", value: "null" },
  downloadProgress: { type: "?\\Closure", doc: "\\Closure(DownloadProgress): mixed|null", value: "null" },
  partBytes: { type: "int", value: "Transfer::PART_BYTES" },
  seconds: { type: "float", value: "600" },
};

const sourceText = "A path, or an open seekable file, which is read from its beginning and stays open.";

/** The code of the methods, and the classes that the code and the types need. */
const work: Readonly<Record<string, { uses: string[]; code: string[] }>> = {
  "exports.beats": {
    uses: ["BeatMarket\\BeatExport"],
    code: ["return BeatExport::take($this->connection, $path);"],
  },
  "sales.export": {
    uses: ["BeatMarket\\Generated\\Operation", "BeatMarket\\Http\\Call", "BeatMarket\\SalesExport"],
    code: [
      "$call = new Call(Operation::ExportSales, query: ['month' => $month]);",
      "",
      "return new SalesExport($path, $this->connection->save($call, $path));",
    ],
  },
  "orders.archive": {
    uses: ["BeatMarket\\Generated\\Operation", "BeatMarket\\Http\\Call", "BeatMarket\\OrderArchive"],
    code: [
      "$call = new Call(Operation::DownloadOrderArchive, ids: ['order_id' => $orderId]);",
      "",
      "return new OrderArchive($path, $this->connection->save($call, $path));",
    ],
  },
  "orders.download": {
    uses: [
      "BeatMarket\\Delivery\\Delivery",
      "BeatMarket\\DownloadProgress",
      "BeatMarket\\DownloadedFile",
      "BeatMarket\\Value\\FileKind",
    ],
    code: [
      "$delivery = new Delivery($this->connection, $orderId, $progress);",
      "",
      "return $delivery->download($kind instanceof FileKind ? $kind->value : $kind, $destination);",
    ],
  },
  "orders.download_all": {
    uses: ["BeatMarket\\Delivery\\Delivery", "BeatMarket\\DownloadProgress", "BeatMarket\\DownloadedFile"],
    code: ["return (new Delivery($this->connection, $orderId, $progress))->downloadAll($folder);"],
  },
  "uploads.upload": {
    uses: [
      "BeatMarket\\Http\\Transfer",
      "BeatMarket\\Model\\Upload",
      "BeatMarket\\UploadProgress",
      "BeatMarket\\Value\\UploadKind",
    ],
    code: [
      "$transfer = new Transfer($this->connection, $file, $partBytes, $progress);",
      "",
      "return $this->get($transfer->begin($kind instanceof UploadKind ? $kind->value : $kind, $filename));",
    ],
  },
  "uploads.resume": {
    uses: ["BeatMarket\\Http\\Transfer", "BeatMarket\\Model\\Upload", "BeatMarket\\UploadProgress"],
    code: [
      "(new Transfer($this->connection, $file, $partBytes, $progress))->sendRest($uploadId, null);",
      "",
      "return $this->get($uploadId);",
    ],
  },
  "uploads.wait": {
    uses: ["BeatMarket\\Http\\Transfer", "BeatMarket\\Model\\ReadyUpload"],
    code: ["return Transfer::wait($this->connection, $uploadId, $timeout);"],
  },
};

export function fileMethod({
  resource,
  method: name,
  description,
  permission,
  arguments: all,
  returns,
  errors,
}: FileMethod): Composed {
  const own = work[`${resource}.${name}`];
  if (own === undefined) throw new Error(`Say in clients/generator/php/files.ts what ${resource}.${name} does.`);
  const model = returns.isReady ? `Ready${returns.model}` : returns.model;
  return {
    resource,
    name,
    prose: [...description.map(named), `Needs the permission ${permission}.`],
    arguments: all.map(({ name: argument, kind, text }) => ({
      name: camelCase(argument),
      ...kinds[kind],
      ...(kind === "path" && returns.isStreamed && { type: "?string", value: "null" }),
      text: named(kind === "source" ? `${text} ${sourceText}` : text),
    })),
    returns: returns.isList ? { type: "array", doc: `list<${model}>` } : { type: model },
    throws: [
      ...errors.map((each): [string, string] => [exceptionOf(each.name), each.text]),
      ["BeatMarketException", ""],
    ],
    ...own,
  };
}

/** A mistake of the program, such as an unreadable file, is an invalid argument. */
const exceptionOf = (error: string): string =>
  error === "BeatMarketError" ? "InvalidArgumentException" : error.replace(/Error$/, "Exception");

const named = (text: string): string =>
  text.replace(/`(\w+)`/g, (_, word: string) => (word === "progress" ? "$progress" : `${camelCase(word)}()`));
