/** A file is damaged from some position on. All content before that position has been delivered. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
  /** Whether the content before the damage ends with a complete line. */
  readonly endsWithCompleteLine: boolean;

  constructor(message: string, endsWithCompleteLine = false) {
    super(message);
    this.endsWithCompleteLine = endsWithCompleteLine;
  }
}
