/** Generates GitHub's anchors of headings. The second heading with the same text gets "-1", the third "-2". */
export class Slugs {
  readonly #seen = new Map<string, number>();

  next(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const times = this.#seen.get(slug) ?? 0;
    this.#seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  }
}
