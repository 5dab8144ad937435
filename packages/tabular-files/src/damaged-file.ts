/** A file is damaged from some position. Everything before it has been delivered. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
  /** Whether the content before the damage is complete, so that its last line is not cut off. */
  readonly isWholeBefore: boolean;

  constructor(message: string, isWholeBefore = false) {
    super(message);
    this.isWholeBefore = isWholeBefore;
  }
}
