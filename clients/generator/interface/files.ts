import type { Document } from "./document.ts";
import type { FileArgument, FileMethod } from "./types.ts";

/** The facts about a method that the document does not contain. */
interface MethodFacts {
  resource: string;
  method: string;
  /** The operation whose permission the method needs. Its description comes first unless `before` has sentences. */
  operation: string;
  before?: string[];
  after: string[];
  arguments: FileArgument[];
  returns: FileMethod["returns"];
  errors: FileMethod["errors"];
}

const orderId: FileArgument = { name: "order_id", kind: "id", text: "The order." };
const uploadId: FileArgument = { name: "upload_id", kind: "text", text: "The upload." };
const pathArgument: FileArgument = { name: "path", kind: "path", text: "The file. An existing file is replaced." };
const month: FileArgument = { name: "month", kind: "text", text: 'Year and month, such as "2026-11".' };
const source: FileArgument = { name: "file", kind: "source", text: "The content of the upload." };
const sameSource: FileArgument = { ...source, text: "The same file." };
const uploadProgress: FileArgument = {
  name: "progress",
  kind: "uploadProgress",
  text: "Called when the upload's id is known, and after each part.",
};
const downloadProgress: FileArgument = {
  name: "progress",
  kind: "downloadProgress",
  text: "Called when it is known where the download starts, and after each chunk.",
};
const partBytes: FileArgument = {
  name: "part_bytes",
  kind: "partBytes",
  text: "The size of a part, which is held in memory. A file that fits into one part is sent in one request.",
};

const waiting = "The timeout is the longest wait for the next bytes.";
const resuming = `Resumes after a lost connection. ${waiting}`;
const unwritable = { name: "BeatMarketError", text: "if the file cannot be written" };
const unreadable = { name: "BeatMarketError", text: "if the file cannot be read" };
const notCompleted = { name: "InvalidRequestError", text: "with status 409, if the order is not completed" };
const wrongBytes = { name: "ChecksumError", text: "if the checksum of the file is wrong; the file is deleted" };
const noOrder = { name: "NotFoundError", text: "if the account has no such order" };
const noUpload = { name: "NotFoundError", text: "if the account has no such upload, or the upload was deleted" };

const methodFacts: readonly MethodFacts[] = [
  {
    resource: "exports",
    method: "beats",
    operation: "exportBeats",
    after: [`Writes into a file. ${resuming}`],
    arguments: [
      { ...pathArgument, text: "The file. Without it, a loop over the result reads the beats as they arrive." },
    ],
    returns: { model: "BeatExport", isStreamed: true },
    errors: [{ name: "RateLimitError", text: "if the key took an export within the last hour" }, unwritable],
  },
  {
    resource: "sales",
    method: "export",
    operation: "exportSales",
    after: [`Writes into a file. Starts again after a lost connection. ${waiting}`],
    arguments: [month, pathArgument],
    returns: { model: "SalesExport" },
    errors: [{ name: "InvalidRequestError", text: "if the month is invalid" }, unwritable],
  },
  {
    resource: "orders",
    method: "archive",
    operation: "downloadOrderArchive",
    after: [`Writes into a file. ${resuming}`],
    arguments: [orderId, pathArgument],
    returns: { model: "OrderArchive" },
    errors: [notCompleted, noOrder, unwritable],
  },
  {
    resource: "orders",
    method: "download",
    operation: "listOrderFiles",
    before: [
      "Downloads a file of an order. Writes to the destination with .part after its name, and renames that file when it is complete. A later call resumes the .part file.",
    ],
    after: [
      `Resumes after a lost connection, and requests a new link when the old one has expired. ${waiting} A complete file is not downloaded again. The key is not sent to the link, which may lead to another host.`,
    ],
    arguments: [
      orderId,
      { name: "kind", kind: "fileKind", text: "mp3, wav, stems or license." },
      { name: "destination", kind: "path", text: "The file. An existing file is replaced at the end." },
      downloadProgress,
    ],
    returns: { model: "DownloadedFile" },
    errors: [
      wrongBytes,
      { name: "BeatMarketError", text: "if the order has no such file, or the destination cannot be written" },
      notCompleted,
      noOrder,
    ],
  },
  {
    resource: "orders",
    method: "download_all",
    operation: "listOrderFiles",
    before: ["Downloads all files of an order into a folder, one after the other as `download` does."],
    after: ["Uses the service's names, without characters that a file system refuses or that lead out of the folder."],
    arguments: [
      orderId,
      { name: "folder", kind: "path", text: "Created if it does not exist." },
      { ...downloadProgress, text: "As for `download`." },
    ],
    returns: { model: "DownloadedFile", isList: true },
    errors: [
      wrongBytes,
      {
        name: "BeatMarketError",
        text: "if the order was refunded and has no files, or the folder cannot be written",
      },
      noOrder,
    ],
  },
  {
    resource: "uploads",
    method: "upload",
    operation: "createUpload",
    before: [
      "Uploads a file in parts, by tus 1.0. After a failed part, continues at the offset that the service has. Then the service analyses the file: `wait` waits for that.",
    ],
    after: [
      "The timeout applies to each part, and grows by a second for each 64 kB of the part. After an error, `resume` continues with the id that `progress` got.",
    ],
    arguments: [
      source,
      { name: "kind", kind: "uploadKind", text: "audio, stems or cover." },
      {
        name: "filename",
        kind: "filename",
        text: "The name that people see. By default the file's own name, or the kind if it has no name.",
      },
      uploadProgress,
      partBytes,
    ],
    returns: { model: "Upload" },
    errors: [
      unreadable,
      {
        name: "InvalidRequestError",
        text: "if the file is too large, or the account has too many uploads that no beat uses",
      },
    ],
  },
  {
    resource: "uploads",
    method: "resume",
    operation: "createUpload",
    before: ["Sends the rest of a file whose upload was begun by this process or another one."],
    after: [],
    arguments: [
      uploadId,
      sameSource,
      { ...uploadProgress, text: "As for `upload`." },
      { ...partBytes, text: "As for `upload`." },
    ],
    returns: { model: "Upload" },
    errors: [
      { name: "BeatMarketError", text: "if the file cannot be read, or has another size than the upload" },
      noUpload,
    ],
  },
  {
    resource: "uploads",
    method: "wait",
    operation: "getUpload",
    before: ["Waits until an upload is ready, for at most ten minutes by default."],
    after: [],
    arguments: [uploadId, { name: "timeout", kind: "seconds", text: "Seconds." }],
    returns: { model: "Upload", isReady: true },
    errors: [
      { name: "UploadRejectedError", text: "if its file was rejected" },
      { name: "APITimeoutError", text: "if the upload is neither ready nor rejected in time" },
      noUpload,
    ],
  },
];

/** The methods that send and receive files, described by the texts of their operations. */
export function fileMethodsOf({ paths }: Document): FileMethod[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return methodFacts.map(({ operation: id, before, after, ...method }) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    if (operation === undefined) throw new Error(`${method.resource}.${method.method} needs the operation ${id}.`);
    const [description = ""] = operation.description.split("\n\nPermission: ");
    // Omit advice that the library follows automatically.
    const about = description.replace(/ Resume a broken download[^.]*\.|; resuming a broken download[^.]*/g, "");
    return {
      ...method,
      description: [...(before ?? [about]), ...after],
      permission: operation["x-permission"] ?? null,
    };
  });
}
