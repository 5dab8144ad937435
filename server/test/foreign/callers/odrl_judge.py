"""Judges the N-Quads of a policy by the ODRL 2.2 ontology that rdflib has: python3 odrl_judge.py NQUADS."""

import sys

from rdflib import RDF, Dataset, URIRef
from rdflib.namespace import ODRL2

graph = Dataset(default_union=True)
graph.parse(sys.argv[1], format="nquads")
known = {str(term) for term in dir(ODRL2)} | {str(ODRL2[name]) for name in ODRL2.__annotations__}
used = {term for triple in graph.triples((None, None, None)) for term in triple if isinstance(term, URIRef)}
unknown = sorted(term for term in used if str(term).startswith(str(ODRL2)) and str(term) not in known)
assert not unknown, f"no terms of ODRL 2.2: {unknown}"
policies = list(graph.subjects(RDF.type, ODRL2.Set))
assert len(policies) == 1, policies
rules = [rule for kind in (ODRL2.permission, ODRL2.prohibition) for rule in graph.objects(policies[0], kind)]
assert rules, "a policy has at least one rule"
for rule in rules:
    assert len(list(graph.objects(rule, ODRL2.action))) == 1, "a rule has one action"
    assert len(list(graph.objects(rule, ODRL2.target))) == 1, "a rule has one target"
for constraint in graph.subjects(RDF.type, ODRL2.Constraint):
    for part in (ODRL2.leftOperand, ODRL2.operator, ODRL2.rightOperand):
        assert list(graph.objects(constraint, part)), f"a constraint has {part}"
print(len(rules))
