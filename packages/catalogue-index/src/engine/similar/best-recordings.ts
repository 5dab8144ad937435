/** A beat that may be among the most similar. */
export interface Candidate {
  slot: number;
  id: number;
  /** The score as shown. */
  score: number;
  /** Equal titles have equal hashes. */
  title: number;
  producer: number;
  tempo: number;
  durationSeconds: number;
}

type Recording = Pick<Candidate, "title" | "producer" | "tempo" | "durationSeconds">;

/** Whether two beats are copies of one recording. */
export function isCopy(a: Recording, b: Recording): boolean {
  if (a.title !== b.title) return false;
  return a.producer === b.producer || (a.tempo === b.tempo && a.durationSeconds === b.durationSeconds);
}

/**
 * Keeps the best candidates, without copies of a better candidate that is kept. The order of insertion does not matter.
 *
 * A candidate that is left out as a copy returns when the candidate that it copies is left out itself, and being a copy
 * is not transitive. So the pool ends only where twice the limit of its candidates are no copies of each other. No
 * worse candidate is ever needed: the beats of one title are edges between their producers and their lengths, copies
 * are edges that touch, and keeping the best that do not touch gives a matching. It is at least half as large as the
 * largest matching, which never shrinks as candidates are added.
 */
export class BestRecordings {
  readonly #limit: number;
  /** Best first. */
  #pool: Candidate[] = [];
  /** Candidates worse than this are not needed. */
  #worst: { score: number; id: number } = { score: Number.NEGATIVE_INFINITY, id: Number.POSITIVE_INFINITY };

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a candidate of this score and id, and so every worse one, would be left out anyway. */
  rejects(score: number, id: number): boolean {
    return score < this.#worst.score || (score === this.#worst.score && id > this.#worst.id);
  }

  add(candidate: Candidate): void {
    if (this.rejects(candidate.score, candidate.id)) return;
    let index = this.#pool.length;
    while (index > 0 && isBetter(candidate, this.#pool[index - 1] as Candidate)) index--;
    this.#pool.splice(index, 0, candidate);
    this.#dropNeedless(candidate);
    if (this.#pool.length < 2 * this.#limit) return;
    const last = this.#bestOf(2 * this.#limit)[2 * this.#limit - 1];
    if (last === undefined) return;
    this.#worst = last;
    this.#pool.length = this.#pool.indexOf(last) + 1;
  }

  best(): Candidate[] {
    return this.#bestOf(this.#limit);
  }

  /** Returns the best of the pool without copies. */
  #bestOf(limit: number): Candidate[] {
    const best: Candidate[] = [];
    for (const candidate of this.#pool) {
      if (best.length === limit) break;
      if (!best.some((better) => isCopy(better, candidate))) best.push(candidate);
    }
    return best;
  }

  /**
   * Drops candidates that are not needed: duplicates in all values, and more than `limit` + 1 of one title by one
   * producer or of one tempo and length.
   */
  #dropNeedless(added: Candidate): void {
    const sameTitle = this.#pool.filter(({ title }) => title === added.title);
    if (sameTitle.length === 1) return;
    const isSameLength = ({ tempo, durationSeconds }: Candidate): boolean =>
      tempo === added.tempo && durationSeconds === added.durationSeconds;
    const byProducer = sameTitle.filter(({ producer }) => producer === added.producer);
    const [, twin] = byProducer.filter(isSameLength);
    const needless = [twin, byProducer[this.#limit + 1], sameTitle.filter(isSameLength)[this.#limit + 1]];
    const dropped = needless.find((candidate) => candidate !== undefined);
    if (dropped !== undefined) this.#pool.splice(this.#pool.indexOf(dropped), 1);
  }
}

const isBetter = (a: Candidate, b: Candidate): boolean => a.score > b.score || (a.score === b.score && a.id < b.id);
