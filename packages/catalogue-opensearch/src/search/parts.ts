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

/** OpenSearch's maximum for one page. */
const mostGenres = 10_000;

/** Reads all genres. They are a few hundred, so the words of a query are compared with them without OpenSearch. */
export async function readGenres({ cluster, indexOf }: SearchParts): Promise<NameDocument[]> {
  const response = await cluster.search<NameDocument>(indexOf("genres"), {
    size: mostGenres,
    query: { match_all: {} },
  });
  return response.hits.hits.map(({ _source }) => _source);
}
