import type { Backup } from "@beatmarket/backup/backup-list.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";

export const segmentsText = (count: number): string => counted(count, "segment of the log", "segments of the log");

export const filesText = (count: number): string => counted(count, "file of producers", "files of producers");

/** A backup in the output of commands. */
export function backupJson({ id, started_at, ended_at, database, objects }: Backup) {
  return {
    id,
    started_at,
    ended_at,
    database:
      database === null
        ? null
        : {
            cluster: database.cluster,
            postgres_major: database.postgres_major,
            timeline: database.timeline,
            files: database.files.length,
            bytes: database.files.reduce((sum, { bytes }) => sum + bytes, 0),
          },
    objects,
  };
}
