/** The size of a segment of the write-ahead log: 16 MB, the default of initdb. */
export const segmentBytes = 16_777_216;
const segmentsOfLogFile = 0x1_0000_0000 / segmentBytes;

export const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name);
/** A history file states where a timeline branched off. */
export const isHistory = (name: string): boolean => /^[0-9A-F]{8}\.history$/.test(name);

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, "0");

/** The timeline in the name of a segment or of a history file. Each restore begins a new timeline. */
export const timelineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16);

/** The number of a segment in the log, regardless of its timeline. */
export const positionOf = (segment: string): number =>
  Number.parseInt(segment.slice(8, 16), 16) * segmentsOfLogFile + Number.parseInt(segment.slice(16), 16);

/** PostgreSQL's name of a segment. */
export const segmentName = (timeline: number, position: number): string =>
  `${hex(timeline)}${hex(Math.floor(position / segmentsOfLogFile))}${hex(position % segmentsOfLogFile)}`;

/** The number of the segment that contains a location of the log, such as 0/3000028. */
export function positionOfLsn(lsn: string): number {
  const [log = "", offset = ""] = lsn.split("/");
  return Number.parseInt(log, 16) * segmentsOfLogFile + Math.floor(Number.parseInt(offset, 16) / segmentBytes);
}

/** A location of the log as a number, for comparisons. */
export function lsnValue(lsn: string): bigint {
  const [log = "0", offset = "0"] = lsn.split("/");
  return (BigInt(`0x${log}`) << 32n) | BigInt(`0x${offset}`);
}

/** The end of an ancestor of a timeline. */
export interface Ancestor {
  timeline: number;
  /** A location of the log, such as 0/3000028. */
  endLsn: string;
}

/** Parses a history file, the oldest ancestor first. */
export function parseHistory(text: string): Ancestor[] {
  return [...text.matchAll(/^(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/gm)].map(([, timeline, endLsn = ""]) => ({
    timeline: Number(timeline),
    endLsn,
  }));
}
