import { type RawBuilder, sql } from "kysely";

/** Content types of recordings that contain all samples. M4A is not listed, since its codec is not inspected. */
const losslessTypes = ["audio/wav", "audio/aiff", "audio/flac"];

/** Whether a recording, a row of beat_files with this alias, has a lossy format. Null without a recording. */
export const isLossy = (file: string): RawBuilder<boolean | null> =>
  sql`(${sql.ref(`${file}.content_type`)} <> all (${losslessTypes}::text[]))`;
