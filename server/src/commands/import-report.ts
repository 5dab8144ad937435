import { thousands } from "@beatmarket/foundation/text/counted.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import type { Finding } from "@beatmarket/tabular-files/findings.ts";
import type { DryRunOutcome, SampledBeat } from "../resources/catalogue-import/dry-run.ts";
import type { ImportOutcome } from "../resources/catalogue-import/import-catalogue.ts";
import { tableText } from "./terminal/output.ts";

/** The output of an import, for programs and for people. */
export interface ImportReport {
  json: object;
  text: string;
}

/** `files` are the paths of the written files; null for a file that was not needed. */
export function importReport(
  outcome: ImportOutcome,
  files: { rejects: string | null; repairs: string | null },
): ImportReport {
  const { rows, created, updated, unchanged, frozen, rejected, remarks } = outcome;
  return {
    json: {
      created,
      updated,
      unchanged,
      frozen,
      rejected,
      rejects_file: files.rejects,
      ...findingsJson(outcome),
      repairs_file: files.repairs,
    },
    text: [
      `${thousands(rows)} rows: ${thousands(created)} created, ${thousands(updated)} updated, ${thousands(unchanged)} unchanged, ${thousands(rejected)} rejected.`,
      ...(frozen === 0 ? [] : [frozenText(frozen)]),
      ...(files.rejects === null ? [] : [`Rejected rows and why: ${files.rejects}`]),
      ...findingsText(outcome),
      ...(files.repairs === null ? [] : [`Repairs line by line: ${files.repairs}`]),
      ...remarks,
    ].join("\n"),
  };
}

const frozenText = (frozen: number): string =>
  `${thousands(frozen)} of the unchanged beats differ from the file, but cannot change: their exclusive license is sold or being bought.`;

export function dryRunReport(outcome: DryRunOutcome): ImportReport {
  const { rows, accepted, repeated, rejected, sample, remarks } = outcome;
  return {
    json: { dry_run: true, rows, accepted, repeated, rejected, ...findingsJson(outcome), remarks, sample },
    text: [
      `${thousands(rows)} rows: ${thousands(accepted)} would be accepted, ${thousands(rejected)} rejected. Nothing was written.`,
      ...(repeated === 0
        ? []
        : [`Of those accepted, ${thousands(repeated)} repeat the id of an earlier row, and would be ignored.`]),
      ...findingsText(outcome),
      ...remarks,
      ...(sample.length === 0 ? [] : ["", sampleText(sample)]),
    ].join("\n"),
  };
}

type Findings = Pick<ImportOutcome, "rejections" | "repairs">;

const findingsJson = ({ rejections, repairs }: Findings) => ({
  rejections: rejections.map(({ kind, times, firstLines }) => ({ reason: kind, times, first_lines: firstLines })),
  repairs: repairs.map(({ kind, times, firstLines }) => ({ repair: kind, times, first_lines: firstLines })),
});

const findingsText = ({ rejections, repairs }: Findings): string[] => [
  ...rejections.map((finding) => `Rejected, ${counted(finding)}`),
  ...repairs.map((finding) => `Taken with a repair, ${counted(finding)}`),
];

function counted({ kind, times, firstLines }: Finding): string {
  const lines = `${firstLines.length === 1 ? "line" : "lines"} ${firstLines.join(", ")}`;
  return `${thousands(times)} times: ${kind} (${lines}${times > firstLines.length ? " …" : ""})`;
}

const columns: Record<string, (beat: SampledBeat) => string> = {
  LINE: ({ line }) => String(line),
  ID: ({ external_id }) => external_id,
  TITLE: ({ title }) => title,
  PRODUCER: ({ producer_name }) => producer_name,
  GENRE: ({ genre_name }) => genre_name,
  TEMPO: ({ tempo }) => String(tempo),
  KEY: ({ key }) => key,
  SECONDS: ({ duration_seconds }) => String(duration_seconds),
  CREATED: ({ created_at }) => created_at?.toISOString().slice(0, 10) ?? "",
  BASIC: ({ price_cents }) => formatCents(price_cents),
  PLAYS: ({ play_count }) => String(play_count),
  TAGS: ({ tags }) => tags.join(", "),
};
const maxCellLength = 28;

const sampleText = (sample: readonly SampledBeat[]): string =>
  tableText([
    Object.keys(columns),
    ...sample.map((beat) => Object.values(columns).map((cellOf) => shortened(cellOf(beat)))),
  ]);

const shortened = (text: string): string =>
  text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1).toWellFormed()}…` : text;
