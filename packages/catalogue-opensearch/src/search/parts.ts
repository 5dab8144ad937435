import type { Cluster } from "../cluster/cluster.ts";
import type { Kind, NameDocument } from "../cluster/documents.ts";
import type { FacetReader } from "../list/facets.ts";
import type { Popular } from "./popular.ts";

/** The parts that a search uses. */
export interface SearchParts {
  cluster: Cluster;
  indexOf(kind: Kind): string;
  facetReader: FacetReader;
  popular: Popular;
}

const mostGenres = 10_000;

/** Reads all genres. There are a few hundred at most, so this program compares their words. */
export async function readGenres({ cluster, indexOf }: SearchParts): Promise<NameDocument[]> {
  const response = await cluster.search<NameDocument>(indexOf("genres"), {
    size: mostGenres,
    query: { match_all: {} },
  });
  return response.hits.hits.map(({ _source }) => _source);
}
