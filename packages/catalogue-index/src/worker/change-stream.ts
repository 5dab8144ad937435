import type { Query } from "./snapshot-reader.ts";

/** A row of the change stream (migration 0024). A different row at its position belongs to another history. */
export interface StreamPlace {
  position: number;
  rowId: number;
  changedAt: string;
  count: number;
}

/** The changes of some rows of the stream, each id once. */
export interface StreamBatch {
  /** The last of the rows. */
  place: StreamPlace;
  /** The newest position of the stream. */
  newest: number;
  /** Whether no row was after the last of these. */
  isNewest: boolean;
  beats: number[];
  users: number[];
  genres: number[];
}

/** The row that was read last is no longer in the stream, so the stream cannot be followed. `reason`: a main clause. */
export interface LostPlace {
  reason: string;
}

/** Maximum ids of a batch; the last row may exceed it. Limits the memory and the duration of a step. */
const maxIds = 5_000;
const maxRows = 1_000;

/** Returns the newest row of the stream. Other rows read in the same snapshot are as of its position. */
export async function newestPlace(query: Query): Promise<StreamPlace> {
  const [place] = await query<{ position: number; rowId: number; changedAt: string; count: number }>(
    "newest place",
    `select position, id as "rowId", changed_at::text as "changedAt", count from catalogue_changes
     where position is not null order by position desc limit 1`,
  );
  if (place === undefined)
    throw new Error("The table catalogue_changes is empty; restore it from a backup: it always keeps its newest row.");
  return place;
}

type StreamRow = [
  position: number,
  rowId: number,
  changedAt: string,
  count: number,
  subject: "beats" | "users" | "genres",
  ids: number[],
];

/** Reads the changes after a place. Reads the place's own row too, to check that it is still the same. */
export async function readChanges(query: Query, place: StreamPlace): Promise<StreamBatch | LostPlace> {
  const [stream] = await query<{ oldest: number | null; newest: number | null; rows: StreamRow[] | null }>(
    "changes",
    `select min(position) as oldest, max(position) as newest, (
       select json_agg(json_build_array(position, id, changed_at::text, count, subject,
                                        case when position > $1::bigint then ids else '{}' end) order by position)
       from (
         select *, sum(count) over (order by position) - count as ids_before from (
           select position, id, changed_at, count, subject, ids from catalogue_changes
           where position >= $1::bigint order by position limit ${maxRows}
         ) as next
       ) as batch where ids_before < ${maxIds}
     ) as rows
     from catalogue_changes`,
    [place.position],
  );
  const { oldest = null, newest = null, rows } = stream ?? { rows: null };
  const [ownRow, ...others] = rows ?? [];
  if (ownRow === undefined || !isSame(place, placeOf(ownRow))) return { reason: reasonOf(place, oldest, newest) };
  const last = placeOf(others.at(-1) ?? ownRow);
  const idsOf = (subject: StreamRow[4]): number[] => [
    ...new Set(others.flatMap((row) => (row[4] === subject ? row[5] : []))),
  ];
  return {
    place: last,
    newest: newest ?? last.position,
    isNewest: last.position === newest,
    beats: idsOf("beats"),
    users: idsOf("users"),
    genres: idsOf("genres"),
  };
}

const placeOf = ([position, rowId, changedAt, count]: StreamRow): StreamPlace => ({
  position,
  rowId,
  changedAt,
  count,
});

const isSame = (a: StreamPlace, b: StreamPlace): boolean =>
  a.position === b.position && a.rowId === b.rowId && a.changedAt === b.changedAt && a.count === b.count;

function reasonOf({ position }: StreamPlace, oldest: number | null, newest: number | null): string {
  if (oldest !== null && oldest > position)
    return `the changes from position ${position} to ${oldest - 1} are no longer kept`;
  if (newest === null || newest < position)
    return `the database was restored to an earlier time, or is another one: it has no change at position ${position}`;
  return `the database was restored to an earlier time, or is another one: its change at position ${position} is not the one that the index applied`;
}
