"""A search engine on Tantivy, as a team would write it in a day.

Reads one JSON object per line, and writes one for each. An object has `rows` (`beats`, `producers`, `genres`),
`commit`, or one of the queries `list` and `search`. An answer has the CPU seconds that this process needed for it,
without those for reading and writing JSON.
"""

import json
import math
import re
import sys
import time
import unicodedata

from tantivy import FieldType, Index, Occur, Order, Query, SchemaBuilder, TextAnalyzerBuilder, Tokenizer

SORTS = {
    "newest": ("created", Order.Desc),
    "popular": ("popularity", Order.Desc),
    "price_asc": ("price", Order.Asc),
    "price_desc": ("price", Order.Desc),
    "bpm_asc": ("bpm", Order.Asc),
    "bpm_desc": ("bpm", Order.Desc),
}
# The weight of a word in each field, relative to a word in a tag.
BOOSTS = {"title": 3.0, "producer": 3.0, "genre": 2.0, "tags": 1.0}
EXACT_BOOST = 50.0
# How many letters of a word may differ, and how many words may be missing. The strictest attempt comes first; the first
# with a match ends the search.
ATTEMPTS = ((0, 0), (1, 0), (2, 0), (1, 1), (1, 2))


def fold(text):
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words_of(text):
    words = re.findall(r"\w+", re.sub("[.'’]", "", fold(text)))
    return [word for word in words if word != "and"]


def whole_of(text):
    return "".join(words_of(text))


def weight_of(popularity):
    return math.log(2 + popularity)


def new_index(schema):
    index = Index(schema)
    tokens = TextAnalyzerBuilder(Tokenizer.whitespace()).build()
    index.register_tokenizer("words", tokens)
    return index


def beat_schema():
    builder = SchemaBuilder()
    for name in BOOSTS:
        builder.add_text_field(name, tokenizer_name="words", index_option="basic")
    builder.add_text_field("whole", tokenizer_name="raw", index_option="basic")
    for name in ("id", "genre_id", "producer_id", "bpm", "key", "price", "created", "popularity"):
        builder.add_integer_field(name, indexed=True, fast=True)
    builder.add_float_field("weight", fast=True)
    return builder.build()


def producer_schema():
    builder = SchemaBuilder()
    builder.add_text_field("producer", tokenizer_name="words", index_option="basic")
    builder.add_text_field("whole", tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("id", indexed=True, fast=True)
    builder.add_float_field("weight", fast=True)
    return builder.build()


def any_of(queries):
    return queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Should, query) for query in queries])


def all_of(queries):
    return Query.boolean_query([(Occur.Must, query) for query in queries]) if queries else Query.all_query()


class Engine:
    def __init__(self):
        self.beats_schema = beat_schema()
        self.producers_schema = producer_schema()
        self.beats = new_index(self.beats_schema)
        self.producers = new_index(self.producers_schema)
        self.beat_writer = self.beats.writer(heap_size=256_000_000, num_threads=1)
        self.producer_writer = self.producers.writer(num_threads=1)
        self.producer_names = {}
        self.genre_names = {}

    def add(self, rows):
        for genre in rows["genres"]:
            self.genre_names[genre["id"]] = genre["name"]
        for producer in rows["producers"]:
            self.producer_names[producer["id"]] = producer["name"]
            self.producer_writer.add_json(json.dumps({
                "id": producer["id"],
                "producer": " ".join(words_of(producer["name"])),
                "whole": whole_of(producer["name"]),
                "weight": weight_of(producer["popularityKey"]),
            }))
        for beat in rows["beats"]:
            self.beat_writer.add_json(json.dumps({
                "id": beat["id"],
                "title": " ".join(words_of(beat["title"])),
                "producer": " ".join(words_of(self.producer_names.get(beat["producerId"], ""))),
                "genre": " ".join(words_of(self.genre_names.get(beat["genreId"], ""))),
                "tags": " ".join(words_of(" ".join(beat["tags"]))),
                "whole": whole_of(beat["title"]),
                "genre_id": beat["genreId"],
                "producer_id": beat["producerId"],
                "bpm": round(beat["tempo"]),
                "key": beat["keyCode"],
                "price": beat["priceCents"],
                "created": beat["createdAtMicroseconds"],
                "popularity": beat["popularityKey"],
                "weight": weight_of(beat["popularityKey"]),
            }))

    def commit(self, _):
        for writer, index in ((self.beat_writer, self.beats), (self.producer_writer, self.producers)):
            writer.commit()
            writer.wait_merging_threads()
            index.reload()
        self.beat_searcher = self.beats.searcher()
        self.producer_searcher = self.producers.searcher()

    def between(self, field, limits):
        return Query.range_query(
            self.beats_schema, field, FieldType.Integer, lower_bound=limits.get("min"), upper_bound=limits.get("max")
        )

    def one_of(self, field, values):
        return any_of([Query.term_query(self.beats_schema, field, value) for value in dict.fromkeys(values)])

    def filters(self, filters):
        clauses = []
        for name, field in (("genres", "genre_id"), ("producers", "producer_id"), ("keys", "key")):
            if filters.get(name):
                clauses.append(self.one_of(field, filters[name]))
        if filters.get("bpm"):
            clauses.append(any_of([self.between("bpm", limits) for limits in filters["bpm"]]))
        if filters.get("priceCents"):
            whole_cents = {"min": math.ceil, "max": math.floor}
            limits = {end: whole_cents[end](cents) for end, cents in filters["priceCents"].items()}
            clauses.append(self.between("price", limits))
        return clauses

    def list(self, query):
        field, order = SORTS[query["sort"]]
        result = self.beat_searcher.search(
            all_of(self.filters(query["filters"])),
            limit=query["limit"],
            offset=query["offset"],
            order_by_field=field,
            order=order,
        )
        addresses = [address for _, address in result.hits]
        return {"ids": self.beat_searcher.fast_field_values("id", addresses), "total": result.count}

    def word(self, schema, fields, word, is_last, edits):
        queries = []
        for field in fields:
            boost = BOOSTS[field]
            if edits > 0:
                fuzzy = Query.fuzzy_term_query(schema, field, word, distance=edits, transposition_cost_one=True)
                queries.append(Query.boost_query(fuzzy, boost))
                continue
            queries.append(Query.boost_query(Query.term_query(schema, field, word), boost))
            if is_last:
                prefix = Query.fuzzy_term_query(schema, field, word, distance=0, prefix=True)
                queries.append(Query.boost_query(prefix, boost / 2))
        return any_of(queries)

    def ranked(self, searcher, schema, fields, words, query, filters, attempt):
        edits, missing = attempt
        last = len(words) - 1
        clauses = [
            self.word(schema, fields, word, position == last, edits if len(word) > 3 else 0)
            for position, word in enumerate(words)
        ]
        exact_name = Query.boost_query(Query.term_query(schema, "whole", "".join(words)), EXACT_BOOST)
        least = max(1, len(words) - missing)
        enough = Query.boolean_query([(Occur.Should, clause) for clause in clauses], minimum_number_should_match=least)
        result = searcher.search(
            all_of([any_of([enough, exact_name]), *filters]),
            limit=query["limit"],
            offset=query["offset"],
            weight_by_field="weight",
        )
        ids = searcher.fast_field_values("id", [address for _, address in result.hits])
        return [(score, id) for (score, _), id in zip(result.hits, ids)], result.count

    def search(self, query):
        words = words_of(query["text"])
        filters = self.filters(query["filters"])
        if not words:
            beats = self.list({**query, "sort": "popular"})
            hits = [{"kind": "beat", "id": id} for id in beats["ids"]]
            return {"hits": hits, "totals": {"beats": beats["total"], "producers": 0}}
        for attempt in ATTEMPTS:
            beats, beat_count = self.ranked(
                self.beat_searcher, self.beats_schema, list(BOOSTS), words, query, filters, attempt
            )
            producers, producer_count = [], 0
            if "producers" in query["kinds"] and not filters:
                producers, producer_count = self.ranked(
                    self.producer_searcher, self.producers_schema, ["producer"], words, query, [], attempt
                )
            if beat_count + producer_count > 0:
                break
        hits = [(score, "beat", id) for score, id in beats] + [(score, "producer", id) for score, id in producers]
        hits.sort(key=lambda hit: -hit[0])
        return {
            "hits": [{"kind": kind, "id": id} for _, kind, id in hits],
            "totals": {"beats": beat_count, "producers": producer_count},
        }


def main():
    engine = Engine()
    methods = {"rows": engine.add, "commit": engine.commit, "list": engine.list, "search": engine.search}
    for line in sys.stdin:
        [(method, argument)] = json.loads(line).items()
        start_seconds = time.process_time()
        result = methods[method](argument)
        print(json.dumps({"result": result, "cpuSeconds": time.process_time() - start_seconds}), flush=True)


if __name__ == "__main__":
    main()
