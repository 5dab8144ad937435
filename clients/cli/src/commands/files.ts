import { readFile } from "node:fs/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { pathOf } from "../../../javascript/src/arguments.ts";
import type { Upload, UploadKind } from "../../../javascript/src/generated/models.ts";
import { Api, clientOf } from "../api.ts";
import type { GlobalOptions } from "../connection.ts";
import { CommandError } from "../errors.ts";
import { recordText } from "../output/record.ts";
import { commandOf, print, type Run, showProgress, terminalWidth } from "../run.ts";

/** The commands for files: uploads, downloads and exports. Each sends more than one request. */
export function fileCommands(program: Command, run: Run): void {
  uploadCommands(commandOf(program, "uploads"), run);
  downloadCommands(commandOf(program, "orders"), run);
  exportCommands(program, run);
  usageFileCommand(commandOf(program, "licenses"), run);
}

/** Prints a result of the client, as JSON or for people. */
const show = (value: object, json: boolean | undefined): void =>
  print(json === true ? JSON.stringify(value) : recordText(value as Record<string, unknown>, terminalWidth()));

interface Parts {
  partBytes?: number;
}

function readBytes(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError("It takes a number of bytes.");
  return Number(text);
}

/** The client's options for an upload. */
const transferOf = ({ partBytes }: Parts, globals: GlobalOptions) => ({
  ...(partBytes !== undefined && { partBytes }),
  onProgress: ({ uploadId, sent, bytes }: { uploadId: string; sent: number; bytes: number }) =>
    showProgress({ name: uploadId, moved: sent, upload_id: uploadId, sent, bytes }, globals),
});

function uploadCommands(uploads: Command, run: Run): void {
  const upload = uploads
    .command("upload")
    .summary("Upload a file.")
    .description("Upload a file in parts, each with its checksum. The key needs beats:write.")
    .argument("<file>", "the path of the file")
    .addOption(new Option("--kind <kind>", "audio, cover, stems or tag").makeOptionMandatory())
    .option("--part-bytes <number>", "the size of a part", readBytes)
    .option("--wait", "wait until the upload is analysed");
  upload.action((file: string, { kind, wait, ...parts }: { kind: UploadKind; wait?: true } & Parts) =>
    run(upload, async (globals) => {
      const { uploads: client } = clientOf(globals, process.env);
      const uploaded: Upload = await client.upload(file, { kind, ...transferOf(parts, globals) });
      show(wait === true ? await client.wait(uploaded.id) : uploaded, globals.json);
    }),
  );
  const resume = uploads
    .command("resume")
    .summary("Send the rest of a file.")
    .description("Send the rest of a file whose upload was interrupted. The key needs beats:write.")
    .argument("<upload_id>", "the upload")
    .argument("<file>", "the path of the same file")
    .option("--part-bytes <number>", "the size of a part", readBytes);
  resume.action((id: string, file: string, parts: Parts) =>
    run(resume, async (globals) =>
      show(await clientOf(globals, process.env).uploads.resume(id, file, transferOf(parts, globals)), globals.json),
    ),
  );
  const wait = uploads
    .command("wait")
    .summary("Wait until an upload is ready.")
    .description("Wait until an upload is ready, at most ten minutes. The key needs beats:write.")
    .argument("<upload_id>", "the upload");
  wait.action((id: string) =>
    run(wait, async (globals) => show(await clientOf(globals, process.env).uploads.wait(id), globals.json)),
  );
}

function downloadCommands(orders: Command, run: Run): void {
  const download = orders
    .command("download")
    .summary("Download the files of an order.")
    .description(
      "Download the files of an order: all into a folder, or one by its kind. An interrupted download is resumed, and the checksum of each file is verified. The key needs orders:read.",
    )
    .argument("<order_id>", "the order")
    .option("--kind <kind>", "only this file: mp3, wav, stems or license")
    .option("--out <path>", "the folder, or the file if --kind is set", ".");
  download.action((id: string, { kind, out }: { kind?: string; out: string }) =>
    run(download, async (globals) => {
      const { orders: client } = clientOf(globals, process.env);
      if (kind !== undefined && out === ".") throw new CommandError("With --kind, name the file with --out.");
      const onProgress = (state: { kind: string; received: number; bytes: number }) =>
        showProgress({ name: state.kind, moved: state.received, ...state }, globals);
      const files =
        kind === undefined
          ? await client.downloadAll(id, out, { onProgress })
          : [await client.download(id, kind as "mp3", out, { onProgress })];
      print(globals.json === true ? JSON.stringify(files) : files.map(({ path }) => path).join("\n"));
    }),
  );
  const archive = orders
    .command("archive")
    .summary("Download the files of an order as a ZIP.")
    .description("Download all files of an order as one ZIP. The key needs orders:read.")
    .argument("<order_id>", "the order")
    .requiredOption("--out <file>", "the file");
  archive.action((id: string, { out }: { out: string }) =>
    run(archive, async (globals) => {
      await clientOf(globals, process.env).orders.archive(id, out);
      print(globals.json === true ? JSON.stringify({ path: out }) : out);
    }),
  );
}

function exportCommands(program: Command, run: Run): void {
  const beats = commandOf(program, "exports")
    .command("beats")
    .summary("Export all beats.")
    .description(
      "Export all beats on sale as gzip-compressed lines of JSON, with the position in the change stream that they include. The key needs beats:read.",
    )
    .requiredOption("--out <file>", "the file, such as beats.ndjson.gz");
  beats.action(({ out }: { out: string }) =>
    run(beats, async (globals) => {
      const { position } = await clientOf(globals, process.env).exports.beats(out);
      print(globals.json === true ? JSON.stringify({ path: out, position }) : `${out}, position ${position}`);
    }),
  );
  const sales = commandOf(program, "sales")
    .command("export")
    .summary("Export the sales of a month.")
    .description("Export the sales of a month as CSV. The key needs sales:read.")
    .argument("<month>", "the month, such as 2026-11")
    .requiredOption("--out <file>", "the file");
  sales.action((month: string, { out }: { out: string }) =>
    run(sales, async (globals) => {
      await clientOf(globals, process.env).sales.export(month, out);
      print(globals.json === true ? JSON.stringify({ path: out }) : out);
    }),
  );
}

function usageFileCommand(licenses: Command, run: Run): void {
  const report = licenses
    .command("report-usage-file")
    .summary("Report usage from a CSV file.")
    .description("Report usage of a license from the CSV file of a distributor. The key needs orders:write.")
    .argument("<license_id>", "the license")
    .argument("<file>", "the CSV file");
  report.action((id: string, file: string) =>
    run(report, async (globals) => {
      const api = new Api(globals, process.env);
      const body = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
        throw new CommandError(`${file} cannot be read (${code}).`);
      });
      const path = pathOf({ path: "/licenses/{license_id}/usage.csv" }, { license_id: id });
      const headers = { "content-type": "text/csv" };
      const answer = await api.send({ method: "POST", url: api.sender.url(path), body: new Uint8Array(body), headers });
      const { data } = answer.body as { data: { usage: object } };
      if (globals.json === true) print(answer.text);
      else show(data.usage, false);
    }),
  );
}
