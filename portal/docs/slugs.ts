/** The anchor that GitHub gives a heading. The second of the same text gets "-1", and so on. */
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
