import { type RawBuilder, sql } from "kysely";

/** Content types of recordings that have all of their samples. M4A is none: what it holds is not looked at. */
const losslessTypes = ["audio/wav", "audio/aiff", "audio/flac"];

/** Whether a recording, a row of beat_files by this name, is of a lossy format. Null without one. */
export const isLossy = (file: string): RawBuilder<boolean | null> =>
  sql`(${sql.ref(`${file}.content_type`)} <> all (${losslessTypes}::text[]))`;
