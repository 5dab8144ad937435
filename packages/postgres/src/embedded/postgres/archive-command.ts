/**
 * The folder in a cluster where finished segments of the write-ahead log wait until they are shipped. If the folder
 * does not exist, no segments are kept.
 */
export const spoolDir = "archive-spool";

/**
 * The maximum number of segments in the spool, 16 MB each. Further segments are dropped, or an unreachable vault would
 * fill the disk.
 */
export const maxSpooledSegments = 256;

/** The prefix of a segment's name in the spool while it is being written. */
export const spoolDraftPrefix = ".";

const draft = `${spoolDir}/${spoolDraftPrefix}%f`;

/**
 * The command that PostgreSQL runs in the cluster's folder for each finished segment (path `%p`, name `%f`). Copies the
 * segment durably into the spool. Never fails, since PostgreSQL would otherwise keep the segment and fill the disk.
 * Drops the segment if the spool or the disk is full. The shipper then notices the gap, and a new base backup closes
 * it.
 */
export const archiveCommand = [
  `test ! -d ${spoolDir} || {`,
  `set -- ${spoolDir}/*; test $# -lt ${maxSpooledSegments} &&`,
  `cp %p ${draft} && sync ${draft} && mv ${draft} ${spoolDir}/%f && sync ${spoolDir};`,
  `} || { rm -f ${draft}; echo "%f is not archived: the disk or the archive spool is full" >&2; }`,
].join(" ");
