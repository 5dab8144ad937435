/** The folder of a cluster in which finished segments of the write-ahead log wait to be shipped; absent: none are kept. */
export const spoolDir = "archive-spool";

/** Segments in the spool, 16 MB each. Further ones are dropped, so that a vault that is away cannot fill the disk. */
export const maxSpooledSegments = 256;

/** What a segment in the spool is named while it is being written. */
export const spoolDraftPrefix = ".";

const draft = `${spoolDir}/${spoolDraftPrefix}%f`;

/**
 * What PostgreSQL runs in the cluster's folder for each finished segment (`%p`, named `%f`). It copies the segment into the
 * spool, durably. It never fails: PostgreSQL would keep the segment until it succeeds, and fill the disk. What cannot be
 * spooled, since the spool or the disk is full, is dropped; the shipper notices the gap, and a new base backup ends it.
 */
export const archiveCommand = [
  `test ! -d ${spoolDir} || {`,
  `set -- ${spoolDir}/*; test $# -lt ${maxSpooledSegments} &&`,
  `cp %p ${draft} && sync ${draft} && mv ${draft} ${spoolDir}/%f && sync ${spoolDir};`,
  `} || { rm -f ${draft}; echo "%f is not archived: the disk or the archive spool is full" >&2; }`,
].join(" ");
