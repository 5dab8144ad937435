import type {
  CatalogueQueries,
  ListQuery,
  ListResult,
  SearchQuery,
  SearchResult,
  SimilarHit,
  SimilarQuery,
} from "@beatmarket/catalogue-index/query.ts";
import type { Cluster } from "./cluster/cluster.ts";
import type { Kind } from "./cluster/documents.ts";
import { FacetReader } from "./list/facets.ts";
import { list } from "./list/list.ts";
import { TagNames } from "./list/tag-names.ts";
import { Popular } from "./search/popular.ts";
import { search } from "./search/search.ts";
import { similar } from "./similar/similar.ts";

/** Answers the queries of the catalogue from three indices. A result has the rows of the last refresh. */
export class Engine implements CatalogueQueries {
  readonly #cluster: Cluster;
  readonly #indexOf: (kind: Kind) => string;
  readonly #facetReader: FacetReader;
  readonly #popular: Popular;

  constructor(cluster: Cluster, indexOf: (kind: Kind) => string) {
    this.#cluster = cluster;
    this.#indexOf = indexOf;
    this.#facetReader = new FacetReader(cluster, new TagNames(cluster));
    this.#popular = new Popular(cluster, indexOf);
  }

  /** The number of listed beats. */
  async count(): Promise<number> {
    const response = await this.#cluster.search(this.#indexOf("beats"), { size: 0, track_total_hits: true });
    return response.hits.total.value;
  }

  list(query: ListQuery): Promise<ListResult> {
    return list(this.#cluster, this.#indexOf("beats"), query, this.#facetReader);
  }

  search(query: SearchQuery): Promise<SearchResult> {
    const parts = {
      cluster: this.#cluster,
      indexOf: this.#indexOf,
      facetReader: this.#facetReader,
      popular: this.#popular,
    };
    return search(parts, query);
  }

  similar(query: SimilarQuery): Promise<SimilarHit[]> {
    return similar(this.#cluster, this.#indexOf("beats"), query);
  }
}
