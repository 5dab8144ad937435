import type { CallOptions } from "./call-options.ts";
import { BeatMarketError } from "./errors.ts";
import type { BeatDetail, ListBeatsQuery } from "./generated/models.ts";
import { Beats as BeatMethods, type BeatPage } from "./generated/resources.ts";
import type { List } from "./list.ts";
import { traced } from "./response.ts";

/** A query in which this parameter is set. */
type QueryWith<Name extends keyof ListBeatsQuery> = { [Key in Name]-?: NonNullable<ListBeatsQuery[Key]> };

/** The beats on sale, and your own. */
export class Beats extends BeatMethods {
  /**
   * Lists beats: `await` returns one page, `for await` iterates over all, with the same filters. With `ids`, returns
   * these beats in that order and in the form of `get`; with `fields`, returns only those fields.
   */
  override list(
    query: ListBeatsQuery & QueryWith<"fields">,
    options?: CallOptions,
  ): List<Partial<BeatDetail>, BeatPage<Partial<BeatDetail>>>;
  override list(
    query: ListBeatsQuery & QueryWith<"ids">,
    options?: CallOptions,
  ): List<BeatDetail, BeatPage<BeatDetail>>;
  override list(...parameters: Parameters<BeatMethods["list"]>): ReturnType<BeatMethods["list"]>;
  override list(query?: ListBeatsQuery, options?: CallOptions): never {
    return super.list(query, options) as never;
  }

  /**
   * Gets beats by their ids, in that order and in the form of `get`, with a request for every 100. A repeated id is
   * returned once. `missing` has the ids for which the service returns no beat.
   */
  async getMany(
    beatIds: readonly number[],
    options?: CallOptions,
  ): Promise<{ beats: BeatDetail[]; missing: number[] }> {
    return traced(async () => {
      if (!Array.isArray(beatIds)) throw new BeatMarketError("The beatIds take an array of ids.");
      const batch = { beats: [] as BeatDetail[], missing: [] as number[] };
      const ids = [...new Set(beatIds)];
      for (let at = 0; at < ids.length; at += 100) {
        const { data, missing = [] } = await this.list({ ids: ids.slice(at, at + 100) }, options);
        batch.beats.push(...data);
        batch.missing.push(...missing);
      }
      return batch;
    });
  }
}
