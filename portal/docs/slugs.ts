/** Generates GitHub's anchors of headings. The second heading with the same text gets "-1", the third "-2". */
export class Slugs {
  readonly #counts = new Map<string, number>();

  next(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const times = this.#counts.get(slug) ?? 0;
    this.#counts.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  }
}
